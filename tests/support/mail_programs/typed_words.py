"""What players type, and what programs and gateways add to it, in many languages."""

ORDERS = (
    "SCAN", "TARGET", "FIRE", "DOGFIGHT", "CLOSE", "OPEN",
    "JINK", "ECM", "PROTECT", "HOLD", "ESCAPE", "EJECT",
)  # fmt: skip
GERMAN = {
    "SCAN": "SUCHEN", "TARGET": "ERFASSEN", "FIRE": "FEUER", "DOGFIGHT": "KURVENKAMPF",
    "CLOSE": "HERAN", "OPEN": "ABSTAND", "JINK": "AUSWEICHEN", "ECM": "STÖREN",
    "PROTECT": "SCHÜTZEN", "HOLD": "ABWARTEN", "ESCAPE": "FLIEHEN", "EJECT": "AUSSTEIGEN",
}  # fmt: skip
RULES = (
    "IF LOCKED: FIRE",
    "IF NOT UNDETECTED AND STRUCTURE <= 1 AND ENEMY SHIELDS <= 2 AND NEUTRAL: SURRENDER",
    "IF STRUCTURE <= 0 AND SHOT AT: EJECT",
    "IF MISSILES <= 0 AND BEAMS <= 0 AND EXTREME AND NOT ADVANTAGE AND TURN >= 10: ESCAPE",
)
GREETINGS = {
    "en": ("Hello,", "Hi referee,", "Dear referee,"),
    "de": ("Hallo,", "Hallo Schiedsrichter,", "Guten Tag,", "Moin!"),
    "fr": ("Bonjour,",), "es": ("Hola:",), "it": ("Ciao,",), "nl": ("Hoi,",),
    "ru": ("Здравствуйте!",), "pl": ("Cześć,",), "ja": ("こんにちは。",), "zh-CN": ("你好，",),
    "sv": ("Hej!",), "pt-BR": ("Olá,",), "ko": ("안녕하세요,",), "tr": ("Merhaba,",),
}  # fmt: skip
STORIES = {
    "en": "Kestrel grins and turns the ship towards the dark side of the moon.",
    "de": "Kestrel grinst und dreht das Schiff zur dunklen Seite des Mondes.",
    "fr": "Kestrel sourit et tourne son vaisseau vers la face cachée de la lune.",
    "es": "Kestrel sonríe y gira la nave hacia la cara oculta de la luna.",
    "ru": "Кестрел усмехается и разворачивает корабль к тёмной стороне луны.",
    "ja": "ケストレルは笑い、船を月の裏側へ向けた。",
    "zh-CN": "红隼笑了，把飞船转向月亮的背面。",
    "pl": "Kestrel uśmiecha się i obraca statek ku ciemnej stronie księżyca.",
    "he": "קסטרל מחייך ומפנה את הספינה אל הצד האפל של הירח.",
    "ar": "يبتسم كستريل ويوجه السفينة نحو الجانب المظلم من القمر.",
    "el": "Ο Κέστρελ χαμογελά και στρέφει το σκάφος στη σκοτεινή πλευρά.",
    "ko": "케스트렐은 웃으며 배를 달의 뒷면으로 돌렸다.",
}
FAREWELLS = {
    "en": ("Bob", "Regards,\nBob", "Cheers, Bob", "Thanks!\nBob Example"),
    "de": ("Bob", "Viele Grüße\nBob", "LG Bob", "Mit freundlichen Grüßen\nBob Example"),
    "fr": ("Cordialement,\nBob",), "es": ("Saludos,\nBob",), "it": ("Saluti\nBob",),
    "nl": ("Groeten,\nBob",), "ru": ("С уважением,\nБоб",), "sv": ("Mvh\nBob",),
    "pl": ("Pozdrawiam\nBob",), "ja": ("よろしくお願いします。",), "zh-CN": ("谢谢",),
}  # fmt: skip
SIGNATURES = (
    "-- \nBob Example\nExample Street 5, 12345 Exampletown\nTel. +49 30 1234567",
    "-- \nBob\nhttps://bob.example/",
    '-- \n"Fire is a good servant." (proverb)\nEJECT the cassette!',
    "Mit freundlichen Grüßen\n\nBob Example\nExample GmbH\nTel.: +49 30 1234567\nbob@example.org",
    "Best regards,\nBob Example\nSenior Consultant | Example Ltd\nM +44 7700 900123",
)
BANNERS = (
    "CAUTION: This email originated from outside the organization. Do not click links or open "
    "attachments unless you recognize the sender and know the content is safe.",
    "[EXTERNAL EMAIL]",
    "ACHTUNG: Diese E-Mail kommt von außerhalb. Bitte öffnen Sie keine Anhänge.",
)
"""What a gateway writes above a letter that it lets in."""
DISCLAIMERS = (
    "Virus-free. www.avast.com",
    "Diese E-Mail wurde von Avast-Antivirussoftware auf Viren geprüft.\nwww.avast.com",
    "Garanti sans virus. www.avast.com",
    "Please consider the environment before printing this email.",
    "This e-mail and any attachments are confidential and may be privileged. If you are not the "
    "intended recipient, please notify the sender and delete this message.",
    "Diese E-Mail enthält vertrauliche Informationen. Wenn Sie nicht der richtige Adressat sind, "
    "informieren Sie bitte sofort den Absender und vernichten Sie diese E-Mail.",
    "CONFIDENTIALITY NOTICE: This message is for the designated recipient only.",
)
CHARSETS = {
    "ru": ("koi8-r", "windows-1251"), "uk": ("koi8-u", "windows-1251"), "bg": ("windows-1251",),
    "de": ("iso-8859-1", "windows-1252", "iso-8859-15"), "fr": ("iso-8859-1", "iso-8859-15"),
    "en": ("us-ascii", "iso-8859-1", "windows-1252"), "pl": ("iso-8859-2", "windows-1250"),
    "cs": ("iso-8859-2", "windows-1250"), "hu": ("iso-8859-2",), "sk": ("windows-1250",),
    "el": ("iso-8859-7", "windows-1253"), "tr": ("iso-8859-9", "windows-1254"),
    "he": ("windows-1255", "iso-8859-8"), "ar": ("windows-1256",), "th": ("tis-620",),
    "ja": ("iso-2022-jp", "shift_jis", "euc-jp"), "ko": ("euc-kr", "ks_c_5601-1987"),
    "zh-CN": ("gb2312", "gbk", "gb18030"), "zh": ("gb2312", "gb18030"), "zh-TW": ("big5",),
    "lt": ("windows-1257", "iso-8859-13"), "lv": ("windows-1257",), "et": ("iso-8859-13",),
    "vi": ("windows-1258",), "es": ("iso-8859-1",), "it": ("windows-1252",), "fi": ("iso-8859-1",),
    "sv": ("iso-8859-1",), "da": ("iso-8859-1",), "no": ("iso-8859-1",), "nl": ("windows-1252",),
    "pt-BR": ("iso-8859-1",), "ro": ("iso-8859-16", "iso-8859-2"), "is": ("iso-8859-1",),
}  # fmt: skip
