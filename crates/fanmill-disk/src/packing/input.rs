//! Buffered bytes of a packed input, of which any small number can be looked at before they are read.

use std::io::{self, BufRead, Read};

use super::BUFFER;

/// An input with a buffer.
#[derive(Debug)]
pub(super) struct Input<R> {
    inner: R,
    buffer: Box<[u8]>,
    /// Bytes of the buffer that were not read yet.
    start: usize,
    end: usize,
}

impl<R: Read> Input<R> {
    pub(super) fn new(inner: R) -> Input<R> {
        Input { inner, buffer: vec![0; BUFFER].into_boxed_slice(), start: 0, end: 0 }
    }

    /// Returns the next `n` bytes without reading them, fewer at the end; `n` is at most [`BUFFER`].
    ///
    /// # Errors
    /// If the input cannot be read.
    pub(super) fn peek(&mut self, n: usize) -> io::Result<&[u8]> {
        if self.end - self.start < n {
            self.buffer.copy_within(self.start..self.end, 0);
            (self.start, self.end) = (0, self.end - self.start);
            while self.end < n {
                match self.inner.read(&mut self.buffer[self.end..]) {
                    Ok(0) => break,
                    Ok(read) => self.end += read,
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                    Err(error) => return Err(error),
                }
            }
        }
        Ok(&self.buffer[self.start..self.end.min(self.start + n)])
    }

    /// Reads all zeros that come next; returns their number.
    ///
    /// # Errors
    /// If the input cannot be read.
    pub(super) fn skip_zeros(&mut self) -> io::Result<u64> {
        let mut n_zeros = 0;
        loop {
            let bytes = self.fill_buf()?;
            let n = bytes.iter().take_while(|&&byte| byte == 0).count();
            let is_all = n == bytes.len();
            n_zeros += n as u64;
            self.consume(n);
            if n == 0 || !is_all {
                return Ok(n_zeros);
            }
        }
    }

    /// Reads `n` bytes, and forgets them.
    ///
    /// # Errors
    /// If the input cannot be read, or ends before.
    #[cfg(feature = "zstandard")]
    pub(super) fn skip(&mut self, n: u64) -> io::Result<()> {
        let read = io::copy(&mut self.by_ref().take(n), &mut io::sink())?;
        if read == n { Ok(()) } else { Err(io::ErrorKind::UnexpectedEof.into()) }
    }
}

impl<R: Read> Read for Input<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let bytes = self.fill_buf()?;
        let n = bytes.len().min(out.len());
        out[..n].copy_from_slice(&bytes[..n]);
        self.consume(n);
        Ok(n)
    }
}

impl<R: Read> BufRead for Input<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.start == self.end {
            (self.start, self.end) = (0, self.inner.read(&mut self.buffer)?);
        }
        Ok(&self.buffer[self.start..self.end])
    }

    fn consume(&mut self, n: usize) {
        self.start = self.end.min(self.start + n);
    }
}
