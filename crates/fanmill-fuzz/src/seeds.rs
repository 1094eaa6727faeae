//! Seeds: small inputs that reach deep into each reader, written out here for people to read.

use std::io::{Cursor, Write};
use std::sync::Arc;

use arrow_array::types::Int8Type;
use arrow_array::{ArrayRef, DictionaryArray, Int64Array, RecordBatch, StringArray};
use arrow_ipc::CompressionType;
use arrow_ipc::writer::{FileWriter, IpcWriteOptions, StreamWriter};
use fanmill::fingerprint::Fingerprint;
use fanmill::index::{PositionalIndex, encoding};
use fanmill_corpus::dedup::log::framed;
use fanmill_sift::key::Key;
use fanmill_sift::profile::Profile;
use fanmill_sift::records::Records;
use fanmill_sift::sifter::Sifter;
use fanmill_sift::{encoding as fingerprints, store_file};
use flate2::{Compression, write::GzEncoder};
use zip::write::{SimpleFileOptions, ZipWriter};

const PARAGRAPH: &str = "Wheat is threshed on the floor; a fanmill turns, and chaff flies off.\n\
    Was bleibt, fällt in den Sack — 谷物 stays, it’s heavier.\n";
const PROGRAM: &str = "/* stock */ int f(int[] a) { // sum\n  int s = 0x1F;\n  for (int v : a) { s += v; }\n  \
    return s > 10 ? s : \"x\\n\".length();\n}\n";

fn all<const N: usize>(texts: [&str; N]) -> Vec<Vec<u8>> {
    texts.into_iter().map(|text| text.as_bytes().to_vec()).collect()
}

/// Returns UTF-8, UTF-16 in both byte orders, a legacy encoding, and bytes in no encoding.
pub fn encodings() -> Vec<Vec<u8>> {
    let units = || PARAGRAPH.encode_utf16();
    let little = [0xFF, 0xFE].into_iter().chain(units().flat_map(u16::to_le_bytes)).collect();
    let big = [0xFE, 0xFF].into_iter().chain(units().flat_map(u16::to_be_bytes)).collect();
    let bare = units().flat_map(u16::to_le_bytes).collect();
    let mut seeds: Vec<Vec<u8>> = vec![little, big, bare];
    seeds.extend(all([
        PARAGRAPH,
        "\u{FEFF}e\u{301}\u{200B}xam\u{AD}ple \u{202E}txet",
        "p\u{430}ypal",
    ]));
    seeds.push(b"Gr\xfc\xdfe aus K\xf6ln, 5 \x80\n".to_vec());
    seeds
}

/// Returns programs and texts with the features that lexers look for, each after one byte for the language.
pub fn programs() -> Vec<Vec<u8>> {
    let texts = [
        PROGRAM,
        PARAGRAPH,
        "def f(x):\n    '''doc'''\n    return f\"{x!r:>{10}}\" + r'\\d' # end\n",
        "<p class=\"a\">b<script>let c = `${d}`</script><!-- e --></p>",
        "```rust\nfn main() {}\n```\n# Title\n~~~\nraw\n",
    ];
    let n_languages = fanmill_lang::front_ends().len();
    let pick = |i: usize| texts[i % texts.len()].as_bytes();
    (0..n_languages).map(|i| [&[i as u8], pick(i)].concat()).collect()
}

/// Returns notebooks in both layouts.
pub fn notebooks() -> Vec<Vec<u8>> {
    all([
        r##"{"cells":[{"cell_type":"markdown","source":["# T\u00e4st\n","two"]},{"cell_type":"code",
        "source":"x = \"\\u0041\"\nprint(x)","outputs":[]}],"metadata":{"kernelspec":{"language":"python"}}}"##,
        r#"{"worksheets":[{"cells":[{"cell_type":"code","input":["a = 1\n"],"language":"julia"}]}]}"#,
    ])
}

/// Returns documents of prose and code in each notation, after a byte that selects it.
pub fn cells() -> Vec<Vec<u8>> {
    all([
        "\u{1}---\ntitle: T\n---\nprose\n```{r a, echo=FALSE}\nx <- 1\n```\nmore\n~~~~ java\nint y;\n~~~~\n",
        "\u{2}text\n```matlab\ny = x';\n```\n",
        "\u{3}a % \\begin{lstlisting}\n\\lstset{language={[Sharp]C}}\n\\begin{lstlisting}[caption={x}]\nvar a;\n\\end{lstlisting}\n\
         \\begin{minted}[linenos]{c}\nint b;\n\\end{minted}\n",
        "\u{4}\\section{A}\n<<fit, engine='python'>>=\na = 1\n<<b>>\n@ % end\nb\n",
        "\u{5}prose\n\n> f x = x\n\n\\begin{code}\ng = 1\n\\end{code}\n",
    ])
}

/// Returns pages with hidden text, entities, tables and scripts.
pub fn pages() -> Vec<Vec<u8>> {
    all([
        "<!doctype html><html><head><title>T</title><style>.a{display:none} #b, p > i { color: #FFF }\
         @media screen { td { font-size: 0 } }</style></head><body bgcolor=white><p class=a>no</p>\
         <p id=b>y&eacute;s &#x41; <i style=\"opacity:0\">x</i></p><table><tr><td>1<td>2</table></body>",
        "<details><summary>s</summary>in</details><bdo dir=rtl>txet</bdo><pre> a\n b</pre><!-- c -->",
    ])
}

/// Returns plain, multipart, encoded, signed and broken messages, and one of Outlook.
pub fn messages() -> Vec<Vec<u8>> {
    all([
        "From: a@example.org\r\nTo: b@example.org\r\nSubject: =?utf-8?q?Gr=C3=BC=C3=9Fe?=\r\n\r\nhello\r\n",
        "From: a@example.org\r\nMIME-Version: 1.0\r\nContent-Type: multipart/alternative; boundary=\"b\"\r\n\r\n\
         --b\r\nContent-Type: text/plain; charset=iso-8859-1\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n\
         Gr=FC=DFe=\r\n!\r\n--b\r\nContent-Type: text/html\r\nContent-Transfer-Encoding: base64\r\n\r\n\
         PHA+SGVsbG88L3A+\r\n--b--\r\n",
        "From: a@example.org\r\nContent-Type: message/rfc822\r\n\r\nFrom: c@example.org\r\nSubject: in\r\n\r\nbody\r\n",
        "From: a@example.org\r\nContent-Type: application/pkcs7-mime; smime-type=signed-data\r\nContent-Transfer-Encoding: base64\r\n\r\n\
         MIIAUAYJKoZIhvcNAQcCoIIAQTCCAD0CAQExADCCADIGCSqGSIb3DQEHAaCCACMEggAfQ29udGVu\r\n\
         dC1UeXBlOiB0ZXh0L3BsYWluCgpoZWxsbzEA\r\n",
        "From: a@example.org\r\nContent-Type: application/ms-tnef; name=winmail.dat\r\nContent-Transfer-Encoding: base64\r\n\r\n\
         eJ8+IgEAAQeQBgAIAAAA5AQAAAAAAADoAAEMgAIABgAAAGhlbGxvABQCAQOQBgBEAAAAAgAAAAIB\r\n\
         ExABAAAABwAAADxwPnBhZ2UAAgEJEAEAAAAdAAAAGQAAABIAAABMWkZ1AAAAAAEACSBoZWxsb30B\r\n\
         DhAAAABXBwICkAYADgAAAAEBAQEBAQEBAQEBAQEBDgACEIABAAYAAABhLnR4dADvAQIPgAYABgAA\r\n\
         AGEgZmlsZSEC\r\n",
    ])
}

/// Returns mailboxes of these messages.
pub fn mailboxes() -> Vec<Vec<u8>> {
    let mut mailbox = Vec::new();
    for message in messages() {
        mailbox.extend_from_slice(b"From a@example.org Sun Mar  1 17:42:00 2026\n");
        mailbox.extend_from_slice(&fanmill_mail::mbox::quoted(&message));
        mailbox.push(b'\n');
    }
    vec![mailbox]
}

/// Returns a store of two texts, an empty store, and the fingerprints of a text.
///
/// # Panics
/// Never: the key and the names are fixed and valid.
pub fn stores() -> Vec<Vec<u8>> {
    let key = Key::new(std::array::from_fn(|i| (7 * i + 1) as u8)).expect("bytes that vary");
    let store = |profile: &Profile, texts: &[&str]| {
        let sifter = Sifter::new(profile, &key);
        let mut records = Records::new(&sifter);
        for (number, text) in texts.iter().enumerate() {
            records.push(&format!("text {number}"), &sifter.sift(text)).expect("room");
        }
        let mut bytes = Vec::new();
        store_file::write(&records, &mut bytes).expect("memory takes it");
        bytes
    };
    let mut original = Vec::new();
    fingerprints::encode(&Sifter::new(&Profile::mail(), &key).sift(PARAGRAPH), &mut original);
    vec![store(&Profile::short(), &[PARAGRAPH, PROGRAM]), store(&Profile::mail(), &[]), original]
}

/// Returns postings of more than a block: hashes close together and far apart, in several documents and places.
///
/// # Panics
/// Never: they are few.
pub fn postings() -> Vec<Vec<u8>> {
    let hash = |i: u32| if i.is_multiple_of(3) { u64::from(i) } else { u64::MAX / u64::from(i) };
    let fingerprint = |i: u32| Fingerprint { hash: hash(i % 40), at: i * i };
    let encoded = |n: u32| {
        let documents: Vec<Vec<Fingerprint>> =
            (0..n).map(|document| (document..90).map(fingerprint).collect()).collect();
        let numbered = (0..).step_by(100).zip(documents.iter().map(Vec::as_slice));
        let mut bytes = Vec::new();
        encoding::encode(&PositionalIndex::build(numbered).expect("few"), &mut bytes);
        bytes
    };
    vec![encoded(1), encoded(3)]
}

/// Returns records with escapes, nesting, and faults between them.
pub fn json_lines() -> Vec<Vec<u8>> {
    all([
        "{\"id\":1,\"text\":\"a\\u00e9\\ud83c\\udf3e b\",\"meta\":{\"url\":[1,2.5e3,null,true]}}\n\
         {\"text\":null}\n\n{\"text\":\"two\",\"text\":\"three\"}\r\n{\"id\":\"x\"}\n{broken\n{\"text\":\"last\"}",
        "\u{FEFF}{\"content\":\"one\"}\n{\"content\":{\"text\":\"in\"}}\n",
    ])
}

/// Returns tables with quotes, line breaks in fields, and rows of different lengths.
pub fn tables() -> Vec<Vec<u8>> {
    all([
        "id,text,url\r\n1,\"a \"\"quoted\"\" word\r\nand a line\",u1\r\n2,plain,u2\r\n3,short\r\n4,\"open,u4\r\n",
        "text\none\n\n\"two\n\"\n",
    ])
}

/// Returns responses, a conversion, a request, and a record with a wrong length.
pub fn web_archives() -> Vec<Vec<u8>> {
    let record = |kind: &str, content_type: &str, body: &str| {
        format!(
            "WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Target-URI: http://example.org/a\r\n\
             Content-Type: {content_type}\r\nContent-Length: {}\r\n\r\n{body}\r\n\r\n",
            body.len()
        )
    };
    let http = "application/http; msgtype=response";
    let page = "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n<p>Page</p>";
    let chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Type: text/plain\r\n\r\n\
                   4\r\nfour\r\n0\r\n\r\n";
    let whole = [
        record("response", http, page),
        record("request", "application/http; msgtype=request", "GET / HTTP/1.1\r\n\r\n"),
        record("response", http, chunked),
        record("conversion", "text/plain", PARAGRAPH),
    ]
    .concat();
    vec![whole.into_bytes(), b"WARC/1.0\r\nContent-Length: 99\r\n\r\nshort\r\n\r\n".to_vec()]
}

/// Returns manifests of submissions, with commas and with semicolons.
pub fn manifests() -> Vec<Vec<u8>> {
    all([
        "file,submission,author,label,submitted\na.java,ada,Ada,x,2026-03-01T17:42:00Z\n\"b.java\",bob,,,\n",
        "\u{FEFF}filename;full_name;created_at\nc.py;Chidi;2026-03-01 17:42\nd.py;Dana;\"Sunday, 1 March 2026, 5:42 PM\"\n",
    ])
}

/// Returns a zip and a tar, the tar compressed in two ways, each with an archive inside; and a zip of legacy names.
///
/// # Panics
/// Never: writing to memory does not fail.
pub fn archives() -> Vec<Vec<u8>> {
    let inner = zip(&[("deep.txt", PARAGRAPH.as_bytes())]);
    let files: [(&str, &[u8]); 3] =
        [("ada/a.java", PROGRAM.as_bytes()), ("bob/b.txt", b"words"), ("inner.zip", &inner)];
    let mut tar = tar::Builder::new(Vec::new());
    for (name, bytes) in files {
        let mut header = tar::Header::new_gnu();
        header.set_size(bytes.len() as u64);
        header.set_mode(0o644);
        tar.append_data(&mut header, name, bytes).expect("an entry");
    }
    let tar = tar.into_inner().expect("a tar");
    let mut gzip = GzEncoder::new(Vec::new(), Compression::default());
    gzip.write_all(&tar).expect("gzip");
    let gzip = gzip.finish().expect("gzip");
    let zstandard = zstd::encode_all(tar.as_slice(), 3).expect("zstandard");
    vec![zip(&files), legacy_zip(), tar, gzip, zstandard]
}

/// Returns a zip whose names are in GBK, which it does not say.
fn legacy_zip() -> Vec<u8> {
    let mut zip = zip(&[("FOLDER01/a.java", PROGRAM.as_bytes()), ("FOLDER01/b.txt", b"words")]);
    while let Some(at) = zip.windows(8).position(|name| name == b"FOLDER01") {
        zip[at..at + 8].copy_from_slice(b"\xca\xb5\xd1\xe9\xb6\xfe_1");
    }
    zip
}

pub(crate) fn zip(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in files {
        zip.start_file(*name, SimpleFileOptions::default()).expect("an entry");
        zip.write_all(bytes).expect("its bytes");
    }
    zip.finish().expect("a zip").into_inner()
}

/// Returns a table of columns with a missing text.
///
/// # Panics
/// Never: writing to memory does not fail.
pub fn parquet_files() -> Vec<Vec<u8>> {
    let rows = rows();
    let mut out =
        parquet::arrow::ArrowWriter::try_new(Vec::new(), rows.schema(), None).expect("a writer");
    out.write(&rows).expect("rows");
    vec![out.into_inner().expect("a file")]
}

/// Returns the same table as files and streams of Arrow, packed and not, with a dictionary.
///
/// # Panics
/// Never: writing to memory does not fail.
pub fn ipc_files() -> Vec<Vec<u8>> {
    let mut rows = rows();
    let words: DictionaryArray<Int8Type> = ["a", "b", "a"].into_iter().collect();
    let columns = rows.columns().iter().cloned().chain([Arc::new(words) as ArrayRef]);
    rows = RecordBatch::try_from_iter(["id", "text", "word"].into_iter().zip(columns))
        .expect("three columns of one length");
    let codecs = [None, Some(CompressionType::LZ4_FRAME), Some(CompressionType::ZSTD)];
    let both = codecs.into_iter().map(|codec| {
        let options = IpcWriteOptions::default().try_with_compression(codec).expect("a codec");
        let mut file = FileWriter::try_new_with_options(vec![], &rows.schema(), options.clone())
            .expect("a writer");
        file.write(&rows).expect("rows");
        let mut stream =
            StreamWriter::try_new_with_options(vec![], &rows.schema(), options).expect("a writer");
        stream.write(&rows).expect("rows");
        [file.into_inner().expect("a file"), stream.into_inner().expect("a stream")]
    });
    both.flatten().collect()
}

/// Returns names and texts, one of them missing.
fn rows() -> RecordBatch {
    let id: ArrayRef = Arc::new(Int64Array::from(vec![1, 2, 3]));
    let text: ArrayRef = Arc::new(StringArray::from(vec![Some("one"), None, Some(PARAGRAPH)]));
    RecordBatch::try_from_iter_with_nullable([("id", id, false), ("text", text, true)])
        .expect("two columns of one length")
}

/// Returns the contents of two frames of a log, and the frames: a document, bad and skipped records, and an end.
pub fn logs() -> Vec<Vec<u8>> {
    let text = |text: &str| [&(text.len() as u32).to_le_bytes(), text.as_bytes()].concat();
    let keys = [7_u64.to_le_bytes(), [255; 8]].concat();
    // Bytes, words, rank, length of the id and number of keys: each a varint of one byte.
    let counts = [9, 2, 1, "naïve".len() as u8, 2];
    let address = [&[2][..], &[8; 32]].concat();
    let document = [&[3][..], &[7; 32], &address, &counts, "naïve".as_bytes(), &keys].concat();
    let aside = |kind: u8| [&[kind][..], &4_u64.to_le_bytes(), &text("an image")].concat();
    let entries = [document.clone(), aside(1), aside(4), document].concat();
    let payload = |shard: u32, is_last: u8, n_records: u32, entries: &[u8]| {
        let (first, n_records) = (8_u64.to_le_bytes(), n_records.to_le_bytes());
        [&shard.to_le_bytes()[..], &[is_last], &first, &n_records, entries].concat()
    };
    let payloads = [payload(0, 0, 3, &entries), payload(0, 1, 0, &[])];
    let frames = payloads.iter().flat_map(|payload| framed(payload)).collect();
    payloads.into_iter().chain([frames]).collect()
}
