"""Bombs in headers, and in the one field From."""

from tests.hostile.bomb_parts import HEADER, Make, filled, letter, numbered


def _head(field: bytes, unit: str, after: bytes = b"") -> Make:
    """Fill one field of a header."""
    return lambda size: letter(
        b"TARGET", field + b": " + numbered(unit, min(size, HEADER - 2_000)) + after + b"\n"
    )


def _subject(unit: str) -> Make:
    return lambda size: letter(b"TARGET", b"", numbered(unit, min(size, HEADER - 2_000)))


HEADERS: dict[str, Make] = {
    "fields": _head(b"X", "x\nX-{n}: y"),
    "empty fields": _head(b"X", "x\na:"),
    "fields of one name": _head(b"X", "x\nX: y"),
    "lines that are not fields": _head(b"X", "x\n{w}"),
    "folds": _head(b"X", "\n "),
    "folds of spaces": _head(b"X", "x\n" + " " * 200),
    "colons after spaces": _head(b"X", "a" + " " * 500 + "\n"),
    "names without a colon": _head(b"X", "a"),
    "Received": _head(b"Received", "by x{n}\nReceived: by y"),
    "references": _head(b"References", "<a{n}@b> "),
    "references not ended": _head(b"References", "<a{n} "),
    "references without spaces": _head(b"References", "<"),
    "in reply to": _head(b"In-Reply-To", "<a{n}@b> "),
    "message ids": _head(b"Message-ID", "<a{n}@b> "),
    "recipients": _head(b"Cc", "a{n}@b.example, "),
    "recipients in brackets": _head(b"Cc", '"x" <a{n}@b.example>, '),
    "recipients' comments": _head(b"Cc", "(((x"),
    "recipients' dots": _head(b"Cc", "a.b."),
    "recipients' tokens": _head(b"Cc", "a+{w}bcdefghijklmnop@b.example "),
    "delivered to": _head(b"Delivered-To", "a@b\nDelivered-To: a{n}@b.example"),
    "reply to": _head(b"Reply-To", "a{n}@b.example, "),
    "subjects Re": _subject("Re: "),
    "subjects Re with numbers": _subject("Re[{n}]: "),
    "subjects of brackets": _subject("[a] "),
    "subjects of opening brackets": _subject("["),
    "subjects of tokens": _subject("[{w}abcdefghijklmnop] "),
    "subjects of stars": _subject("*"),
    "subjects of numbers": _subject("{n}"),
    "subjects of spaces": _subject("x" + " " * 300),
    "subject words in Q": _subject("=?utf-8?q?a{n}?= "),
    "subject words in B": _subject("=?utf-8?b?YQ==?= "),
    "subject words of charsets": _subject("=?x{n}?q?a?= "),
    "subject words not ended": _subject("=?utf-8?q?"),
    "subject words' beginnings": _subject("=?"),
    "subject words' spaces": _subject("=?utf-8?q?a?=" + " " * 50),
    "subject words of one long B": lambda size: letter(
        b"T", b"", b"=?utf-8?b?" + filled(b"YWFh", min(size, 90_000)) + b"?="
    ),
    "subject words that hold words": _subject("=?utf-8?q?=3D=3Futf-8=3Fq=3Fa=3F=3D?= "),
    "charset": _head(b"Content-Type", "x", b""),
    "parameters": _head(b"Content-Type", "text/plain; a{n}=b"),
    "parameters continued": _head(b"Content-Type", "; boundary*{n}=b"),
    "parameters coded": _head(b"Content-Type", "; boundary*{n}*=utf-8''%41%42"),
    "parameters of quotes": _head(b"Content-Type", '; a="\\'),
    "parameters of backslashes": _head(b"Content-Type", '; a="\\\\'),
    "parameters of spaces": _head(b"Content-Type", ";" + " " * 100),
    "parameters' apostrophes": _head(b"Content-Type", "; a*='"),
    "parameters of stars": _head(b"Content-Type", "; a" + "*" * 50 + "=b"),
    "dispositions": _head(b"Content-Disposition", "; filename*{n}*=x"),
    "encodings": _head(b"Content-Transfer-Encoding", "base64 "),
    "automatic": _head(b"Auto-Submitted", "no;("),
    "results": _head(b"Authentication-Results", "; spf=pass (a{n}) smtp.mailfrom=b"),
    "results of brackets": _head(b"Authentication-Results", "("),
    "results of quotes": _head(b"Authentication-Results", '"\\"'),
    "results of many fields": _head(
        b"Authentication-Results", "x\nAuthentication-Results: mx; spf=pass"
    ),
    "signatures": _head(b"DKIM-Signature", "v=1; a=x; b={n}; "),
    "DKIM signatures": _head(
        b"DKIM-Signature", "v=1\nDKIM-Signature: v=1; d=x{n}.example; s=a; b=x"
    ),
    "list ids": _head(b"X-Loop", "referee@x{n}"),
    "dates": _head(b"Date", "Mon, "),
}


def _from(unit: str, before: str = "", after: str = "") -> Make:
    return lambda size: (
        b"From: "
        + before.encode()
        + numbered(unit, min(size, HEADER - 2_000))
        + after.encode()
        + b"\nSubject: x\n\nTARGET"
    )


SENDERS: dict[str, Make] = {
    "addresses": _from("a{n}@b.example, "),
    "comments": _from("(", "a@b.example "),
    "comments, short": lambda size: b"From: a@b.example " + b"(x)" * 400 + b"\nSubject: x\n\nT",
    "quotes": _from('"\\'),
    "quotes, short": lambda size: b'From: "' + b'\\"' * 600 + b"\nSubject: x\n\nT",
    "spaces, short": lambda size: b"From: a" + b" " * 1_200 + b"<a@b.example\nSubject: x\n\nT",
    "spaces in brackets": lambda size: b"From: a <" + b" " * 1_200 + b"x\nSubject: x\n\nT",
    "labels": _from("a.", "x@", "!"),
    "labels, short": lambda size: b"From: a@" + b"a-" * 150 + b"!\nSubject: x\n\nT",
    "words": _from("=?utf-8?q?a{n}?= ", "", "<a@b.example>"),
    "fields": _from("a@b.example\nFrom: b{n}@b.example"),
    "MAILER-DAEMON": _from("MAILER-DAEMON "),
}
