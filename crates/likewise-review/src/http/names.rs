//! Names of people in addresses and headers, which hold plain letters alone.

use std::fmt::Write;

pub fn coded(name: &str) -> String {
    name.bytes().fold(String::new(), |mut coded, byte| {
        if byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte) {
            coded.push(char::from(byte));
        } else {
            let _ = write!(coded, "%{byte:02X}");
        }
        coded
    })
}

/// The other way round; what is not well coded stays as it is.
pub fn plain(coded: &str) -> String {
    let mut bytes = Vec::with_capacity(coded.len());
    let mut rest = coded.as_bytes();
    while let Some((&first, others)) = rest.split_first() {
        let pair = others.get(..2).filter(|_| first == b'%').and_then(|pair| std::str::from_utf8(pair).ok());
        match pair.and_then(|pair| u8::from_str_radix(pair, 16).ok()) {
            Some(byte) => {
                bytes.push(byte);
                rest = &others[2..];
            }
            None => {
                bytes.push(first);
                rest = others;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_come_back() {
        for name in ["anna", "Zoë K", "李", "50 % & more?", ""] {
            assert_eq!(plain(&coded(name)), name);
        }
        assert_eq!(
            (coded("é /"), plain("%"), plain("%zz1")),
            ("%C3%A9%20%2F".into(), "%".into(), "%zz1".into())
        );
    }
}
