//! Members of a packed file, one after another: gzip's members, bzip2's and xz's streams, frames of LZ4 and Zstandard.
//!
//! Each member has a decoder of its own, which says where the member ends; what lies between two is looked at here.
//! Zeros behind a member of gzip or bzip2, and multiples of four behind a stream of xz, are padding; LZ4's frames that
//! decoders skip are skipped.

#[cfg(feature = "zstandard")]
use std::io::BufRead;
use std::io::{self, Read};

#[cfg(feature = "packings")]
use bzip2::bufread::BzDecoder;
use flate2::bufread::GzDecoder;
#[cfg(feature = "packings")]
use lz4_flex::frame::FrameDecoder;
#[cfg(feature = "packings")]
use lzma_rust2::XzReader;
#[cfg(feature = "zstandard")]
use zstd::stream::raw::{DParameter, Decoder, Operation};
#[cfg(feature = "zstandard")]
use zstd::zstd_safe;

#[cfg(feature = "zstandard")]
use super::frame;
use super::input::Input;
#[cfg(feature = "zstandard")]
use super::obstacle::Obstacle;
use super::{Packing, UnpackOptions};

/// Memory in KiB that a decoder of xz takes besides its dictionary.
#[cfg(feature = "packings")]
const XZ_BESIDES: u64 = 256;

/// The unpacked bytes of all members.
pub(super) struct Members<R: Read> {
    packing: Packing,
    #[cfg_attr(not(feature = "zstandard"), expect(dead_code, reason = "gzip has one window"))]
    options: UnpackOptions,
    state: State<R>,
    /// True if there has been a member.
    has_any: bool,
    #[cfg(feature = "zstandard")]
    zstandard: Option<Decoder<'static>>,
}

enum State<R: Read> {
    /// At the beginning of a member, or at the end of all.
    Between(Input<R>),
    Gzip(Box<GzDecoder<Input<R>>>),
    #[cfg(feature = "packings")]
    Bzip2(BzDecoder<Input<R>>),
    #[cfg(feature = "packings")]
    Xz(Box<XzReader<Input<R>>>),
    #[cfg(feature = "packings")]
    Lz4(Box<FrameDecoder<Whole<R>>>),
    #[cfg(feature = "zstandard")]
    Zstandard(Frame<R>),
    /// Behind a fault.
    Failed,
}

impl<R: Read> Members<R> {
    pub(super) fn new(packing: Packing, input: R, options: UnpackOptions) -> Members<R> {
        Members {
            packing,
            options,
            state: State::Between(Input::new(input)),
            has_any: false,
            #[cfg(feature = "zstandard")]
            zstandard: None,
        }
    }

    /// Begins the next member; returns false at the end.
    fn begin(&mut self) -> io::Result<bool> {
        let State::Between(mut input) = std::mem::replace(&mut self.state, State::Failed) else {
            return Err(io::Error::other("it is damaged further up"));
        };
        if self.has_any {
            self.skip_padding(&mut input)?;
        }
        if self.has_any && input.peek(1)?.is_empty() {
            self.state = State::Between(input);
            return Ok(false);
        }
        self.has_any = true;
        #[cfg(feature = "zstandard")]
        while matches!(self.packing, Packing::Lz4 | Packing::Zstandard)
            && let Some(n) = super::skippable(input.peek(8)?)
        {
            input.skip(8 + n)?;
        }
        self.state = self.member(input)?;
        Ok(true)
    }

    /// Skips what may lie between two members, or behind the last one.
    fn skip_padding(&self, input: &mut Input<R>) -> io::Result<()> {
        match self.packing {
            // Tapes and some tools fill blocks with zeros.
            Packing::Gzip | Packing::Bzip2 => {
                input.skip_zeros()?;
            }
            Packing::Xz if input.skip_zeros()? % 4 != 0 => {
                let what = "its padding is not a multiple of four bytes";
                return Err(io::Error::new(io::ErrorKind::InvalidData, what));
            }
            _ => {}
        }
        Ok(())
    }

    /// Returns the decoder of the member that begins here.
    #[cfg_attr(
        not(feature = "zstandard"),
        expect(unused_mut, reason = "gzip says its window nowhere")
    )]
    fn member(&mut self, mut input: Input<R>) -> io::Result<State<R>> {
        Ok(match self.packing {
            Packing::Plain => State::Between(input),
            Packing::Gzip => State::Gzip(Box::new(GzDecoder::new(input))),
            #[cfg(feature = "packings")]
            Packing::Bzip2 => State::Bzip2(BzDecoder::new(input)),
            #[cfg(feature = "packings")]
            Packing::Xz => {
                let limit = self.options.window;
                if let Some(asked) = frame::xz(input.peek(frame::XZ_HEAD)?).filter(|&n| n > limit) {
                    return Err(Obstacle::Window { asked: Some(asked), limit }.error());
                }
                let kib = u32::try_from(limit.div_ceil(1 << 10) + XZ_BESIDES).unwrap_or(u32::MAX);
                State::Xz(Box::new(XzReader::new_mem_limit(input, false, kib)))
            }
            #[cfg(feature = "packings")]
            Packing::Lz4 => {
                match input.peek(4)? {
                    // Nothing but frames to skip.
                    [] => State::Between(input),
                    super::LZ4_MAGIC => {
                        let whole = Whole { input, has_ended: false };
                        State::Lz4(Box::new(FrameDecoder::new(whole)))
                    }
                    head if super::LZ4_MAGIC.starts_with(head) => return Err(cut_off()),
                    _ => {
                        let what = "bytes that are no frame";
                        return Err(io::Error::new(io::ErrorKind::InvalidData, what));
                    }
                }
            }
            #[cfg(feature = "zstandard")]
            Packing::Zstandard => {
                let head = input.peek(frame::ZSTANDARD_HEAD)?;
                if head.is_empty() {
                    // Nothing but frames to skip.
                    return Ok(State::Between(input));
                }
                if let Some(demands) = frame::zstandard(head) {
                    self.check(demands)?;
                }
                if self.zstandard.is_none() {
                    self.zstandard = Some(self.decoder()?);
                }
                State::Zstandard(Frame { input, has_ended: false })
            }
            #[cfg(not(feature = "packings"))]
            packing => {
                let what = format!("{packing}, which this build does not read");
                return Err(io::Error::new(io::ErrorKind::Unsupported, what));
            }
        })
    }

    /// Checks that the demands of a Zstandard frame can be met.
    #[cfg(feature = "zstandard")]
    fn check(&self, demands: frame::Demands) -> io::Result<()> {
        let limit = self.options.window;
        if demands.window > limit {
            return Err(Obstacle::Window { asked: Some(demands.window), limit }.error());
        }
        let given = self.options.dictionary.as_deref();
        let given = given.and_then(zstd_safe::get_dict_id_from_dict).map_or(0, u32::from);
        if ![0, given].contains(&demands.dictionary) {
            return Err(Obstacle::Dictionary(demands.dictionary).error());
        }
        Ok(())
    }

    /// Makes the decoder of all Zstandard frames.
    #[cfg(feature = "zstandard")]
    fn decoder(&self) -> io::Result<Decoder<'static>> {
        let dictionary = self.options.dictionary.as_deref();
        let mut decoder = Decoder::with_dictionary(dictionary.unwrap_or_default())?;
        // Windows are checked before, by their sizes; this is the most that the format's own decoder can hold.
        let largest = if cfg!(target_pointer_width = "64") { 31 } else { 30 };
        decoder.set_parameter(DParameter::WindowLogMax(largest))?;
        Ok(decoder)
    }

    /// Reads from the member that has begun; returns 0 at its end.
    fn read_member(&mut self, out: &mut [u8]) -> io::Result<usize> {
        match &mut self.state {
            State::Between(_) => Ok(0),
            State::Gzip(member) => member.read(out),
            #[cfg(feature = "packings")]
            State::Bzip2(member) => member.read(out),
            #[cfg(feature = "packings")]
            State::Xz(member) => member.read(out).map_err(|error| match error.kind() {
                io::ErrorKind::OutOfMemory => {
                    Obstacle::Window { asked: None, limit: self.options.window }.error()
                }
                _ => error,
            }),
            #[cfg(feature = "packings")]
            State::Lz4(member) => match member.read(out) {
                Ok(0) if member.get_ref().has_ended => Err(cut_off()),
                read => read,
            },
            #[cfg(feature = "zstandard")]
            State::Zstandard(frame) => match &mut self.zstandard {
                Some(decoder) => frame.read(decoder, out),
                None => Ok(0),
            },
            State::Failed => Err(io::Error::other("it is damaged further up")),
        }
    }

    /// Ends the member.
    fn end(&mut self) {
        self.state = match std::mem::replace(&mut self.state, State::Failed) {
            State::Gzip(member) => State::Between(member.into_inner()),
            #[cfg(feature = "packings")]
            State::Bzip2(member) => State::Between(member.into_inner()),
            #[cfg(feature = "packings")]
            State::Xz(member) => State::Between(member.into_inner()),
            #[cfg(feature = "packings")]
            State::Lz4(member) => State::Between(member.into_inner().input),
            #[cfg(feature = "zstandard")]
            State::Zstandard(frame) => State::Between(frame.input),
            state @ (State::Between(_) | State::Failed) => state,
        };
    }
}

impl<R: Read> Read for Members<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if out.is_empty() {
            return Ok(0);
        }
        loop {
            if matches!(self.state, State::Between(_)) && !self.begin()? {
                return Ok(0);
            }
            match self.read_member(out) {
                Ok(0) => self.end(),
                Err(error) if error.kind() != io::ErrorKind::Interrupted => {
                    self.state = State::Failed;
                    return Err(error);
                }
                read => return read,
            }
        }
    }
}

/// An input that remembers that a decoder wanted more than there is, which the decoder of LZ4 takes for a frame's end.
#[cfg(feature = "packings")]
struct Whole<R> {
    input: Input<R>,
    has_ended: bool,
}

#[cfg(feature = "packings")]
impl<R: Read> Read for Whole<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let n = self.input.read(out)?;
        self.has_ended |= n == 0 && !out.is_empty();
        Ok(n)
    }
}

#[cfg(feature = "packings")]
fn cut_off() -> io::Error {
    io::ErrorKind::UnexpectedEof.into()
}

/// A Zstandard frame that is being read.
#[cfg(feature = "zstandard")]
struct Frame<R> {
    input: Input<R>,
    has_ended: bool,
}

#[cfg(feature = "zstandard")]
impl<R: Read> Frame<R> {
    /// Reads from the frame; returns 0 at its end.
    fn read(&mut self, decoder: &mut Decoder<'static>, out: &mut [u8]) -> io::Result<usize> {
        while !self.has_ended {
            let bytes = self.input.fill_buf()?;
            let is_end = bytes.is_empty();
            let status = decoder.run_on_buffers(bytes, out)?;
            self.input.consume(status.bytes_read);
            self.has_ended = status.remaining == 0;
            if status.bytes_written > 0 {
                return Ok(status.bytes_written);
            }
            if is_end && !self.has_ended {
                return Err(io::Error::new(io::ErrorKind::UnexpectedEof, "incomplete frame"));
            }
        }
        Ok(0)
    }
}
