"""Letters that web pages send to an address that somebody typed there, by weak signs together.

Such a letter bears no mark of a standard. It has signs of the program that made it, and of the firm
or club whose page it is. A person's letter may have one of these, or two; so it takes three, and
one that answers anything, or comes from a webmail, is never taken.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from pbem.intake.letter import Letter
from pbem.intake.phrase_tables import any_of, small_of

ENOUGH = 3
NEAR = 3_000
OFFICE = "the address of an office"
WEBMAIL = any_of(r"""
    r(?:ound)?cube|rcmail|squirrel|horde|\bimp\b|web-?mail|rainloop|snappy|afterlogic|zimbra
    sendmail\.php|atmail|sogo|open-?xchange|nextcloud|mailpile|cypht
""")
"""Programs of people who write in a browser, which run on the same servers as web pages."""
SCRIPT_FIELDS = ("x-php-", "x-source-args", "x-source-dir", "x-en-cgi")
SCRIPT = any_of(r"\.php\d?\b|\.inc\b|\.cgi\b|cgi-bin|public_html|htdocs|/www\b|httpdocs")
ACCOUNT = any_of(r"""
    from userid (?:30|33|48|70|80|81|65534)\)|invoked by (?:uid (?:33|48|80|81|65534)\b|apache|www)
    \b(?:apache|www-data|nobody|httpd|wwwrun|nginx|www)@
    from (?:apache|www-data|nobody|httpd|www|wwwrun|nginx) by\b
""")
"""A web server's own account, which handed the letter in."""
LIBRARY_ID = re.compile(
    r"<(?:[0-9a-f]{32}@|[A-Za-z0-9]{40,46}@(?!mail\.gmail)|[^@\s]{1,80}@[^\s>]{0,60}generated>"
    r"|(?!20\d{12}\.)(?=[^@]{0,40}[a-f])[0-9a-f]{8,14}[._][0-9a-f.]{6,20}@"
    r"|\d{5,10}\.\d{1,7}\.\d{13}@(?!mail\.yahoo)|[^@\s]{1,80}@(?:www|web)\d{0,3}(?:[>-]|\.[\w-]+\.))"
)
"""A Message-ID as PHPMailer, Symfony, Ruby's Mail, JavaMail and the like make it."""
SERVER_ID = re.compile(
    r"$|<(?:[^>\s]{0,80}ADDED_(?:MISSING|BROKEN)|E?1\w{5}-\w{6,11}-\w\w(?:\w\w)?@"
    r"|20\d{12}\.(?:(?=\d{0,12}[A-F])[0-9A-F]{8,13}|(?=[0-9a-z]{0,15}[A-Z])[0-9B-Zb-z]{14,16})@"
    r"|20\d{10}\.\w{14}@|20\d{12}\.\d{1,7}\.qmail@)",
    re.ASCII,
)
"""A Message-ID as a mail server makes it for a letter that came without one."""
ROLES = any_of(r"""
    info|conta[ck]t\w{0,2}|kontakt|contato|contatti|office|sales|support|soporte|suporte|servi[cz]\w+
    vendas|ventas|vente|web|website|webshop|webform|webmaster|wordpress|postmaster|shop|store|orders?
    bestell\w+|bookings?|reserv\w+|regist\w+|admin\w*|marketing|news\w*|customer\w*|client\w*|kunden\w*
    e?nquir\w+|inquir\w+|recommend\w*|help\w*|accounts?|billing|events?|member\w*|mitglied\w*|editor\w*
    secretar\w+|sekretariat|\w{0,20}forms?|formular\w*|system|server|feedback|welcome|reception
    rezeption|jobs|careers?|curator|press\w*|media|library|academy|training|donat\w+|verif\w+|security
    subscri\w+|invit\w+
""")
"""How addresses of an office begin, and no person's."""
FIELD = re.compile(r"^ {0,9}(\w[^:\n]{0,40}?) ?: {0,9}(\S{3,200}) *$", re.MULTILINE)
HEADINGS = ("to", "cc", "bcc", "an", "kopie", "à", "para", "aan", "till", "do", "кому")
"""What stands before an address at the head of a quoted letter, too."""
CODE = small_of(r"""
    https?://[^\s>]{0,200}(?:[0-9a-f]{16}|activ|confirm|verif|token|regist|key=|login|unsub|opt-?in)
    https?://[^\s>]{0,200}/(?=[a-z]{0,20}\d)[a-z\d]{14}
    ©|\(c\) ?20\d\d|copyright 20\d\d|all rights reserved|alle rechte vorbehalten
""")
WORDS = small_of(r"""
    thank(?:s| you) for|thank(?:s| you)[,!.]? (?:we|your)|dank (?:für|voor)|merci (?:de|pour)
    remerci|gracias por|grazie per|obrigad[oa] p|tack för|takk? for|kiitos|dziękujemy|děkujeme
    ďakujeme|köszönjük|mulțumim|teşekkür|ευχαριστ|спасибо|дякуємо|благодар|謝|谢|ありがと|有難う|감사|תודה|شكر
    regist[re]|anmeld|inscri|iscri|rejestr|регистр|реєстр|登録|登錄|注册|註冊|가입|kayıt|εγγραφ
    confirm (?:your|th)|confirmation|bestätig|conferm|bekräft|bekreft|bevestig|potvrzen|potwierdz
    подтверд|потврд|確認|确认|onay|interesse in
    your (?:order|account|message|request|details|submission|subscription|copy|enquiry|inquiry)
    your (?:password|booking)|has been (?:received|sent|submitted|created)
    copy of|kopie|kopia|copia|αντίγραφο|копия|formular|\bform\b|kontaktanfrage|newsletter
    log ?in|passwor[dt]|mot de passe|contraseña|пароль|username|benutzername|usuario|utilisateur
    bestell|pedido|commande|заказ|заявк|注文|申込|受付|問い?合|お客様|自動
    indicou|recommend(?:ed|s) (?:this|you)|would like this (?:web ?)?(?:site|page)
""")
"""What such letters speak of. People do too, so this is one sign of several."""


def signs_of_a_form(letter: Letter) -> str | None:
    """Return why a letter is a web page's, by its signs, or None."""
    program, firm = dict(program_signs(letter)), dict(firm_signs(letter))
    enough = ENOUGH if program else ENOUGH + 1
    # Without a sign in its text, a letter may hold orders from a webmail that nobody here knows.
    in_text = firm.keys() - {OFFICE}
    if in_text and (program or OFFICE in firm) and sum((program | firm).values()) >= enough:
        return "it has " + ", ".join(program | firm)
    return None


def program_signs(letter: Letter) -> Iterator[tuple[str, int]]:
    """Yield the signs of the program that made a letter, each with its weight."""
    headers = letter.headers
    fields = sorted(name for name in headers.names if name.startswith(SCRIPT_FIELDS))
    script = " ".join(value for name in fields for value in headers.all(name))
    agent = f"{headers.first('user-agent')} {headers.first('x-mailer')}"
    if WEBMAIL.search(f"{script} {agent}"):
        return
    if SCRIPT.search(script) or ACCOUNT.search(" ".join(headers.all("received"))):
        yield "a web page's script", 2
    # Mail programs name themselves; Exchange does so by its threads.
    if {"user-agent", "thread-topic"} & headers.names:
        return
    identity = headers.first("message-id")
    if SERVER_ID.match(identity):
        yield "no Message-ID of its own", 1
        # So has a letter of Unix' mail(1), whose fields stand in the same order.
        return
    if LIBRARY_ID.match(identity):
        yield "a library's Message-ID", 1
    if headers.in_order("to", "subject", "from"):
        yield "the fields in a script's order", 1


def firm_signs(letter: Letter) -> Iterator[tuple[str, int]]:
    """Yield the signs of a firm in a letter, each with its weight."""
    sender = letter.sender.address if letter.sender else ""
    said = f"{letter.subject[:300]}\n{letter.text[:NEAR]}".lower()
    answers = letter.headers.first("reply-to")[:300].lower()
    ours = {each for each in letter.addressed if each != sender}
    if ROLES.fullmatch(re.split(r"[-_.+\d@]", sender, maxsplit=1)[0]):
        yield OFFICE, 1
    if any(each in said or each in answers for each in ours):
        fields = {value for name, value in FIELD.findall(said) if name not in HEADINGS}
        yield "the address that somebody typed", 2 if fields & ours else 1
    if CODE.search(said):
        yield "a link with a code or a firm's foot", 1
    if WORDS.search(said):
        yield "the words of a form", 1
