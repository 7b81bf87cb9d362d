use base64::Engine;
use base64::prelude::{BASE64_STANDARD, BASE64_URL_SAFE_NO_PAD};

use super::*;

/// A VAA of version 1 with one signature and a payload of `payload` bytes.
fn vaa(payload: usize) -> Vec<u8> {
    let mut bytes = vec![1, 0, 0, 0, 0, 1];
    bytes.extend(
        (0..=u8::MAX)
            .cycle()
            .step_by(7)
            .take(payload.saturating_add(66 + 51)),
    );
    bytes
}

fn read(content: impl AsRef<[u8]>) -> Result<Vec<Item>, InputError> {
    let content: Vec<u8> = content.as_ref().to_vec();
    Inputs::of_bytes("f", content).collect()
}

fn bytes(content: impl AsRef<[u8]>) -> Vec<Vec<u8>> {
    read(content)
        .unwrap()
        .into_iter()
        .map(|item| item.bytes.unwrap())
        .collect()
}

fn error(content: impl AsRef<[u8]>) -> String {
    let text = read(content).unwrap_err().to_string();
    assert!(!text.contains('\n'), "{text}");
    text
}

#[test]
fn the_form_is_told_by_content() {
    let (a, b) = (vaa(3), vaa(500));
    let (ha, hb) = (hex::encode(&a), hex::encode(&b));
    let (sa, sb) = (BASE64_STANDARD.encode(&a), BASE64_STANDARD.encode(&b));
    let both = vec![a.clone(), b.clone()];
    for text in [
        format!("{{\"vaa_hex\":\"{ha}\"}}\n{{\"x\":[1],\"vaa_hex\":\"0x{hb}\",\"n\":null}}\n"),
        format!(
            "\n\n  {{\"vaa_hex\":\"{ha}\"}}\r\n\r\n{{\"vaa_hex\":\"{}\"}}",
            hb.to_uppercase()
        ),
        format!("\u{feff}{{\"vaa_hex\":\"{ha}\"}}\n{{\"vaa_hex\":\"{hb}\"}}"),
        format!("{ha}\n{hb}\n"),
        format!("0x{ha}\r\n0X{}\r\n", hb.to_uppercase()),
        format!("  {ha}  \n\n{hb}"),
        format!("{sa}\n{sb}\n"),
        format!(
            "{}\n{}",
            BASE64_URL_SAFE_NO_PAD.encode(&a),
            sb.trim_end_matches('=')
        ),
        format!("{ha}\n{sb}\n"),
        format!("name,vaa_hex,x\na,{ha},1\nb,0x{hb},\n"),
        format!("\"VAA\", n\n\"{sa}\",1\n{hb} ,2\n"),
        format!("7,\"x, y\",{ha}\n8,\"say \"\"z\"\"\",{sb}\n"),
    ] {
        assert_eq!(bytes(&text), both, "{text}");
    }
    assert_eq!(bytes(&a), vec![a]);
    assert_eq!(
        bytes([&b[..], b"\n{}\n\xff"].concat()),
        [[&b[..], b"\n{}\n\xff"].concat()]
    );
}

#[test]
fn places_are_files_and_lines() {
    let text = format!("\n{}\n\n{}\n", hex::encode(vaa(1)), hex::encode(vaa(2)));
    let places: Vec<_> = read(text)
        .unwrap()
        .iter()
        .map(|i| i.place.to_string())
        .collect();
    assert_eq!(places, ["`f` line 2", "`f` line 4"]);
    assert_eq!(read(vaa(1)).unwrap()[0].place.to_string(), "`f`");
}

#[test]
fn a_text_in_vaa_hex_is_a_vaa_whatever_it_is() {
    let items = read(
        r#"{"vaa_hex":""}
{"vaa_hex":"0x"}
{"vaa_hex":"zz"}
{"vaa_hex":"abc"}
{"vaa_hex":" 01"}
{"vaa_hex":"é"}"#,
    )
    .unwrap();
    assert_eq!(items.len(), 6);
    assert_eq!(items[0].bytes, Ok(vec![]));
    assert_eq!(items[1].bytes, Ok(vec![]));
    for item in &items[2..] {
        let reason = item.bytes.as_ref().unwrap_err();
        assert!(reason.starts_with("`vaa_hex`: "), "{reason}");
    }
}

#[test]
fn other_json_is_an_error_that_names_the_line() {
    let good = format!("{{\"vaa_hex\":\"{}\"}}\n", hex::encode(vaa(1)));
    for (bad, reason) in [
        ("{\"vaaBytes\":\"AQ==\"}", "a JSON object without `vaa_hex`"),
        ("{\"vaa_hex\":5}", "`vaa_hex` is not a text"),
        ("{\"vaa_hex\":[\"01\"]}", "`vaa_hex` is not a text"),
        ("{\"vaa_hex\":\"01", "JSON that ends too early"),
        ("{\"vaa_hex\":\"01\"", "JSON that ends too early"),
        ("{", "JSON that ends too early"),
        ("{\"vaa_hex\":\"01\"} x", "not a JSON object"),
        ("{\"vaa_hex\":\"01\",\"vaa_hex\":\"02\"}", "duplicate field"),
        ("[\"01\"]", "not a JSON object"),
        ("\"01\"", "not a JSON object"),
        ("0100", "not a JSON object"),
    ] {
        let text = error(format!("{good}{bad}"));
        assert!(
            text.starts_with("`f` line 2: ") && text.contains(reason),
            "{bad}: {text}"
        );
    }
    for bad in ["{", "[]", "[\n", "\"x\"", "{\n  \"vaa_hex\": \"01\"\n}"] {
        assert!(error(bad).starts_with("`f` line 1: "), "{bad}");
    }
    let null = "{\"vaa_hex\":null}";
    assert!(error(null).contains("without `vaa_hex`"));
    let bad = [good.as_bytes(), b"{\"vaa_hex\":\"\xff\"}"].concat();
    assert!(error(bad).starts_with("`f` line 2: not UTF-8 text"));
}

#[test]
fn what_comes_before_a_bad_line_is_read() {
    let text = format!(
        "{}\n{}\nxyz!\n00\n",
        hex::encode(vaa(1)),
        hex::encode(vaa(2))
    );
    let mut inputs = Inputs::of_bytes("f", text.into_bytes());
    assert!(inputs.next().unwrap().is_ok());
    assert!(inputs.next().unwrap().is_ok());
    let error = inputs.next().unwrap().unwrap_err();
    assert_eq!(error.to_string(), "`f` line 3: neither hex nor base64");
    assert!(inputs.next().is_none(), "nothing is read after an error");
}

#[test]
fn half_lines_of_text_are_errors() {
    let digits = hex::encode(vaa(1));
    let text = error(format!("{digits}\n{}", &digits[..101]));
    assert!(
        text.starts_with("`f` line 2: hex text: 101 hex digits"),
        "{text}"
    );
    let base64 = BASE64_STANDARD.encode(vaa(3));
    let text = error(format!("{base64}\n{}\n", &base64[..101]));
    assert!(text.starts_with("`f` line 2: base64 text: "), "{text}");
    assert!(error(&base64[..101]).starts_with("`f` line 1: base64 text: "));
    let text = error(format!("a,vaa\n1,{digits}\n2\n"));
    assert_eq!(text, "`f` line 3: no column 2, which holds the VAAs");
    let text = error(format!("a,vaa\n1,\"{digits}\n"));
    assert_eq!(text, "`f` line 2: a quote is left open");
    assert!(error("0x").starts_with("`f` line 1: base64 text: "));
    let text = error("a,vaa\n1,?\n");
    assert_eq!(text, "`f` line 2: column 2: neither hex nor base64");
}

#[test]
fn text_that_is_no_form_is_bytes() {
    for text in [
        "hello world",
        "<html>\n</html>",
        "a,b,c\n1,2,3\n",
        "0xzz\u{0}",
    ] {
        let items = read(text).unwrap();
        assert_eq!(items.len(), 1, "{text}");
        assert_eq!(items[0].bytes, Ok(text.as_bytes().to_vec()));
    }
}

#[test]
fn nothing_is_no_vaa() {
    for text in ["", "\n", " \r\n\t\n", "\u{feff}", "a,vaa\n"] {
        assert_eq!(read(text).unwrap(), [], "{text:?}");
    }
}

#[test]
fn a_vaa_broken_into_lines_is_one() {
    let bytes_of = vaa(300);
    for (text, width) in [
        (BASE64_STANDARD.encode(&bytes_of), 76),
        (BASE64_STANDARD.encode(&bytes_of), 64),
        (hex::encode(&bytes_of), 60),
    ] {
        let lines: Vec<_> = text
            .as_bytes()
            .chunks(width)
            .map(|c| std::str::from_utf8(c).unwrap())
            .collect();
        assert_eq!(bytes(lines.join("\n")), vec![bytes_of.clone()]);
        assert_eq!(bytes(lines.join("\r\n") + "\r\n"), vec![bytes_of.clone()]);
    }
    // Lines of that length that are no VAA together stay what they are.
    let line = "02".repeat(32);
    assert_eq!(
        bytes(format!("{line}\n{line}\n03\n")),
        [vec![2; 32], vec![2; 32], vec![3]]
    );
}

#[test]
fn an_endless_line_is_refused() {
    let text = error(vec![b'a'; 17 << 20]);
    assert_eq!(text, "`f` line 1: longer than 16777216 bytes");
    let mut bytes = vec![1, b'\n'];
    bytes.resize(17 << 20, 0);
    assert_eq!(error(bytes), "`f`: longer than 16777216 bytes");
}

#[test]
fn missing_files_and_directories_are_named_before_anything_is_read() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("a.txt");
    std::fs::write(&file, "00").unwrap();
    let file = file.display().to_string();
    let missing = dir.path().join("none").display().to_string();
    let error = |files: &[String]| Inputs::open(files).err().unwrap().to_string();
    let text = error(&[file.clone(), missing.clone()]);
    assert!(
        text.starts_with(&format!("cannot open `{missing}`: ")),
        "{text}"
    );
    let directory = dir.path().display().to_string();
    let text = error(std::slice::from_ref(&directory));
    assert!(
        text.starts_with(&format!("cannot open `{directory}`: ")),
        "{text}"
    );

    let mut inputs = Inputs::open(&[file.clone(), file]).unwrap();
    assert_eq!(inputs.total_bytes(), Some(4));
    assert_eq!(inputs.by_ref().filter(|item| item.is_ok()).count(), 2);
    assert_eq!(inputs.read_bytes(), 4);
}
