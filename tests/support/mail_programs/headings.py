"""The blocks of headers that mail programs write above a quote, and their footers."""

_LABELS = {
    # from, sent, to, subject
    "en": "From:|Sent:|To:|Subject:",
    "de": "Von:|Gesendet:|An:|Betreff:",
    "fr": "De :|Envoyé :|À :|Objet :",
    "es": "De:|Enviado el:|Para:|Asunto:",
    "it": "Da:|Inviato:|A:|Oggetto:",
    "nl": "Van:|Verzonden:|Aan:|Onderwerp:",
    "pt-BR": "De:|Enviada em:|Para:|Assunto:",
    "pt": "De:|Enviado:|Para:|Assunto:",
    "sv": "Från:|Skickat:|Till:|Ämne:",
    "da": "Fra:|Sendt:|Til:|Emne:",
    "fi": "Lähettäjä:|Lähetetty:|Vastaanottaja:|Aihe:",
    "pl": "Od:|Wysłano:|Do:|Temat:",
    "cs": "Od:|Odesláno:|Komu:|Předmět:",
    "sk": "Od:|Odoslané:|Komu:|Predmet:",
    "hu": "Feladó:|Elküldve:|Címzett:|Tárgy:",
    "ro": "De la:|Trimis:|Către:|Subiect:",
    "bg": "От:|Изпратено:|До:|Относно:",
    "ru": "От:|Отправлено:|Кому:|Тема:",
    "uk": "Від:|Надіслано:|Кому:|Тема:",
    "el": "Από:|Στάλθηκε:|Προς:|Θέμα:",
    "tr": "Kimden:|Gönderildi:|Kime:|Konu:",
    "he": "מאת:|נשלח:|אל:|נושא:",
    "ar": "من:|تم الإرسال:|إلى:|الموضوع:",
    "fa": "از:|ارسال شده:|به:|موضوع:",
    "ja": "差出人:|送信日時:|宛先:|件名:",
    "ko": "보낸 사람:|보낸 날짜:|받는 사람:|제목:",
    "zh-CN": "发件人:|发送时间:|收件人:|主题:",
    "zh-TW": "寄件者:|寄件日期:|收件者:|主旨:",
    "vi": "Từ:|Đã gửi:|Tới:|Chủ đề:",
    "th": "จาก:|ส่ง:|ถึง:|เรื่อง:",
    "id": "Dari:|Dikirim:|Kepada:|Subjek:",
    "hr": "Šalje:|Poslano:|Prima:|Predmet:",
    "sl": "Od:|Poslano:|Za:|Zadeva:",
    "sr": "Šalje:|Poslato:|Prima:|Tema:",
    "et": "Saatja:|Saadetud:|Adressaat:|Teema:",
    "lv": "No:|Nosūtīts:|Kam:|Temats:",
    "lt": "Nuo:|Išsiųsta:|Kam:|Tema:",
    "ca": "De:|Enviat:|Per a:|Tema:",
    "hi": "प्रेषक:|भेजा गया:|प्रति:|विषय:",
}
_DATES = {
    "en": "Monday, November 2, 2026 1:00 PM",
    "de": "Montag, 2. November 2026 13:00",
    "fr": "lundi 2 novembre 2026 13:00",
    "es": "lunes, 2 de noviembre de 2026 13:00",
    "it": "lunedì 2 novembre 2026 13:00",
    "nl": "maandag 2 november 2026 13:00",
    "pt-BR": "segunda-feira, 2 de novembro de 2026 13:00",
    "pt": "2 de novembro de 2026 13:00",
    "sv": "den 2 november 2026 13:00",
    "da": "2. november 2026 13:00",
    "fi": "maanantai 2. marraskuuta 2026 13.00",
    "pl": "poniedziałek, 2 listopada 2026 13:00",
    "cs": "pondělí 2. listopadu 2026 13:00",
    "sk": "pondelok 2. novembra 2026 13:00",
    "hu": "2026. november 2., hétfő 13:00",
    "ro": "luni, 2 noiembrie 2026 13:00",
    "bg": "понеделник, 2 ноември 2026 г. 13:00",
    "ru": "2 ноября 2026 г. 13:00",
    "uk": "понеділок, 2 листопада 2026 р. 13:00",
    "el": "Δευτέρα, 2 Νοεμβρίου 2026 1:00 μ.μ.",
    "tr": "2 Kasım 2026 Pazartesi 13:00",
    "he": "יום שני 02 נובמבר 2026 13:00",
    "ar": "02/نوفمبر/2026 01:00 م",
    "fa": "دوشنبه, ۲ نوامبر ۲۰۲۶ ۱۳:۰۰",
    "ja": "2026年11月2日月曜日 13:00",
    "ko": "2026년 11월 2일 월요일 오후 1:00",
    "zh-CN": "2026年11月2日 13:00",
    "zh-TW": "2026年11月2日 下午 01:00",
    "vi": "Thứ Hai, 2 tháng Mười Một, 2026 1:00 CH",
    "th": "2 พฤศจิกายน 2569 13:00",
    "id": "Senin, 02 November 2026 13:00",
    "et": "esmaspäev, 2. november 2026 13:00",
    "lv": "pirmdiena, 2026. gada 2. novembris 13:00",
    "lt": "2026 m. lapkričio 2 d., pirmadienis 13:00",
    "hi": "02 नवम्बर 2026 13:00",
}


def _block(labels: str, values: str = "{n} <{a}>|{d}|{w} <{b}>|{s}") -> str:
    pairs = zip(labels.split("|"), values.split("|"), strict=True)
    return "\n".join(f"{label} {value}".rstrip() for label, value in pairs)


def _dated(language: str) -> str:
    return _DATES.get(language, "2.11.2026 13:00")


OUTLOOK = {each: _block(labels).replace("{d}", _dated(each)) for each, labels in _LABELS.items()}

_RULES = {
    "en": "-----Original Message-----",
    "de": "-----Ursprüngliche Nachricht-----",
    "fr": "-----Message d'origine-----",
    "es": "-----Mensaje original-----",
    "it": "-----Messaggio originale-----",
    "nl": "-----Oorspronkelijk bericht-----",
    "pt-BR": "-----Mensagem original-----",
    "sv": "-----Ursprungligt meddelande-----",
    "da": "-----Oprindelig meddelelse-----",
    "fi": "-----Alkuperäinen viesti-----",
    "pl": "-----Oryginalna wiadomość-----",
    "cs": "-----Původní zpráva-----",
    "sk": "-----Pôvodná správa-----",
    "hu": "-----Eredeti üzenet-----",
    "ro": "-----Mesaj original-----",
    "ru": "-----Исходное сообщение-----",
    "tr": "-----Özgün İleti-----",
    "el": "-----Αρχικό μήνυμα-----",
    "ja": "-----元のメッセージ-----",
    "zh-CN": "-----邮件原件-----",
    "zh-TW": "-----原始郵件-----",
    "ko": "-----원본 메시지-----",
    "he": "-----הודעה מקורית-----",
    "ar": "-----الرسالة الأصلية-----",
}
OUTLOOK_RULED = {each: f"{rule}\n{OUTLOOK[each]}" for each, rule in _RULES.items()}
OUTLOOK_WEB = {each: f"{'_' * 32}\n{block}" for each, block in OUTLOOK.items()}

BLOCKS = {
    "gmx": {
        "de": "Gesendet: Montag, 02. November 2026 um 13:00 Uhr\n"
        "Von: {n} <{a}>\nAn: {b}\nBetreff: {s}",
        "en": "Sent: Monday, November 02, 2026 at 1:00 PM\nFrom: {n} <{a}>\nTo: {b}\nSubject: {s}",
        "de-new": "Am 02.11.26, 13:00 schrieb {n} <{a}>:",
    },
    "t-online": {
        "de": "-----Original-Nachricht-----\nBetreff: {s}\nDatum: 2026-11-02T13:00:00+0100\n"
        'Von: "{n}" <{a}>\nAn: "{w}" <{b}>',
    },
    "freenet": {
        "de": "--- Ursprüngliche Nachricht ---\nVon: {n} <{a}>\nDatum: 02.11.2026 13:00:00\n"
        "An: {b}\nBetreff: {s}",
    },
    "qq": {
        "zh": "------------------ 原始邮件 ------------------\n"
        '发件人: "{n}" <{a}>;\n发送时间: 2026年11月2日(星期一) 晚上8:00\n'
        '收件人: "{w}"<{b}>;\n主题: {s}',
        "en": "------------------ Original ------------------\n"
        'From: "{n}" <{a}>;\nDate: Mon, Nov 2, 2026 08:00 PM\nTo: "{w}"<{b}>;\nSubject: {s}',
    },
    "foxmail": {
        "zh": "发件人： {n}\n发送时间： 2026-11-02 13:00\n收件人： {w}\n主题： {s}",
        "en": "From: {n}\nDate: 2026-11-02 13:00\nTo: {w}\nSubject: {s}",
    },
    "alimail": {
        "zh": f"{'-' * 66}\n发件人：{{n}} <{{a}}>\n发送时间：2026年11月2日(星期一) 13:00\n"
        "收件人：{w} <{b}>\n主　题：{s}",
    },
    "naver": {
        "ko": '-----Original Message-----\nFrom: "{n}" <{a}>\nTo: <{b}>;\nCc:\n'
        "Sent: 2026-11-02 (월) 13:00:00 (GMT+09:00)\nSubject: {s}",
    },
    "daum": {
        "ko": "--------- 원본 메일 ---------\n보낸사람: {n} <{a}>\n받는사람: {w} <{b}>\n"
        "날짜: 2026년 11월 02일 월요일, 13시 00분 00초 +0900\n제목: {s}",
    },
    "samsung": {
        "en": "-------- Original message --------\nFrom: {n} <{a}>\n"
        "Date: 02/11/2026  13:00  (GMT+00:00)\nTo: {b}\nSubject: {s}",
        "de": "-------- Ursprüngliche Nachricht --------\nVon: {n} <{a}>\n"
        "Datum: 02.11.26  13:00  (GMT+01:00)\nAn: {b}\nBetreff: {s}",
        "fr": "-------- Message d'origine --------\nDe : {n} <{a}>\n"
        "Date : 02/11/2026  13:00  (GMT+01:00)\nÀ : {b}\nObjet : {s}",
        "es": "-------- Mensaje original --------\nDe: {n} <{a}>\n"
        "Fecha: 2/11/26  13:00  (GMT+01:00)\nA: {b}\nAsunto: {s}",
        "pl": "-------- Oryginalna wiadomość --------\nOd: {n} <{a}>\n"
        "Data: 02.11.2026  13:00  (GMT+01:00)\nDo: {b}\nTemat: {s}",
    },
    "nokia": {
        "en": "----- Reply message -----\nFrom: {n} <{a}>\nTo: {b}\nSubject: {s}\n"
        "Date: Mon, Nov 2, 2026 1:00 pm",
    },
    "zimbra": {
        "en": "----- Original Message -----\n"
        'From: "{n}" <{a}>\nTo: {b}\nSent: Monday, November 2, 2026 1:00:00 PM\nSubject: {s}',
        "de": "----- Ursprüngliche Mail -----\n"
        'Von: "{n}" <{a}>\nAn: {b}\nGesendet: Montag, 2. November 2026 13:00:00\nBetreff: {s}',
        "fr": "----- Mail original -----\n"
        'De: "{n}" <{a}>\nÀ: {b}\nEnvoyé: Lundi 2 Novembre 2026 13:00:00\nObjet: {s}',
        "pt": "----- Mensagem original -----\n"
        'De: "{n}" <{a}>\nPara: {b}\nEnviadas: Segunda-feira, 2 de novembro de 2026 13:00:00\n'
        "Assunto: {s}",
    },
    "notes-block": {
        "en": "From:\t{n} <{a}>\nTo:\t{b}\nDate:\t11/02/2026 01:00 PM\nSubject:\t{s}",
        "de": "Von:\t{n} <{a}>\nAn:\t{b}\nDatum:\t02.11.2026 13:00\nBetreff:\t{s}",
    },
    "outlook-express": {
        "en": "----- Original Message ----- \n"
        'From: "{n}" <{a}>\nTo: <{b}>\nSent: Monday, November 02, 2026 1:00 PM\nSubject: {s}',
        "ru": "----- Original Message ----- \n"
        'From: "{n}" <{a}>\nTo: <{b}>\nSent: Monday, November 02, 2026 1:00 PM\nSubject: {s}',
        "fr": "----- Message d'origine ----- \n"
        'De : "{n}" <{a}>\nÀ : <{b}>\nEnvoyé : lundi 2 novembre 2026 13:00\nObjet : {s}',
        "it": "----- Original Message ----- \n"
        "From: {n}\nTo: {b}\nSent: Monday, November 02, 2026 1:00 PM\nSubject: {s}",
    },
    "live-mail": {
        "en": "From: {n} \nSent: Monday, November 2, 2026 1:00 PM\nTo: {b} \nSubject: {s}",
        "de": "From: {n} \nSent: Monday, November 02, 2026 1:00 PM\nTo: {b} \nSubject: {s}",
    },
    "windows-phone": {
        "en": "________________________________\nFrom: {n}<mailto:{a}>\n"
        "Sent: \u200e02/\u200e11/\u200e2026 13:00\nTo: {w}<mailto:{b}>\nSubject: {s}",
        "de": "________________________________\nVon: {n}<mailto:{a}>\n"
        "Gesendet: \u200e02.\u200e11.\u200e2026 13:00\nAn: {w}<mailto:{b}>\nBetreff: {s}",
    },
    "aol": {
        "en": "-----Original Message-----\nFrom: {n} <{a}>\nTo: {b}\n"
        "Sent: Mon, Nov 2, 2026 1:00 pm\nSubject: {s}",
        "de": "-----Ursprüngliche Mitteilung-----\nVon: {n} <{a}>\nAn: {b}\n"
        "Verschickt: Mo, 2. Nov 2026 13:00\nBetreff: {s}",
    },
    "blackberry": {
        "en": '-----Original Message-----\nFrom: "{n}" <{a}>\nDate: Mon, 2 Nov 2026 13:00:00 \n'
        "To: <{b}>\nSubject: {s}",
        "ten": "From: {n}\nSent: Monday, November 2, 2026 13:00\nTo: {b}\nSubject: {s}",
        "de": "Von: {n}\nGesendet: Montag, 2. November 2026 13:00\nAn: {b}\nBetreff: {s}",
    },
    "hotmail": {
        "en": "Date: Mon, 2 Nov 2026 13:00:00 +0100\nSubject: {s}\nFrom: {a}\nTo: {b}",
        "from": "From: {a}\nTo: {b}\nSubject: {s}\nDate: Mon, 2 Nov 2026 13:00:00 +0000",
    },
    "orange": {
        "fr": 'Message du 02/11/26 13:00\nDe : "{n}" <{a}>\nA : {b}\nCopie à :\nObjet : {s}',
    },
    "libero": {
        "it": "----Messaggio originale----\nDa: {a}\nData: 2-nov-2026 13.00\nA: <{b}>\nOgg: {s}",
    },
    "interia": {
        "pl": 'Od: "{n}" <{a}>\nDo: {b};\nWysłane: 13:00 Poniedziałek 2026-11-02\nTemat: {s}',
    },
    "seznam": {
        "cs": "---------- Původní e-mail ----------\nOd: {n} <{a}>\nKomu: {b}\n"
        "Datum: 2. 11. 2026 13:00:00\nPředmět: {s}",
    },
    "centrum": {
        "cs": 'Od: "{n}" <{a}>\nKomu: {b}\nDatum: 02.11.2026 13:00\nPředmět: {s}',
    },
    "lark": {
        "en": 'From: "{n}"<{a}>\nDate: Mon, Nov 2, 2026, 13:00\nSubject: {s}\nTo: "{w}"<{b}>',
    },
    "rediff": {
        "en": "From: {n} <{a}>\nSent: Mon, 02 Nov 2026 13:00:00 GMT+0530\nTo: {b}\nSubject: {s}",
    },
    "evolution": {
        "en": "-----Original Message-----\nFrom: {n} <{a}>\nTo: {b}\nSubject: {s}\n"
        "Date: Mon, 02 Nov 2026 13:00:00 +0100",
    },
    "thunderbird-forward": {
        "en": "-------- Original Message --------\nSubject: {s}\n"
        "Date: Mon, 2 Nov 2026 13:00:00 +0000\nFrom: {n} <{a}>\nTo: {b}",
    },
}

PHONES = {
    "en": "Sent from my iPhone",
    "de": "Von meinem iPhone gesendet",
    "fr": "Envoyé de mon iPhone",
    "es": "Enviado desde mi iPhone",
    "it": "Inviato da iPhone",
    "nl": "Verstuurd vanaf mijn iPhone",
    "pt-BR": "Enviado do meu iPhone",
    "sv": "Skickat från min iPhone",
    "da": "Sendt fra min iPhone",
    "fi": "Lähetetty iPhonesta",
    "pl": "Wysłane z iPhone'a",
    "cs": "Odesláno z iPhonu",
    "sk": "Odoslané z iPhonu",
    "ru": "Отправлено с iPhone",
    "uk": "Надіслано з iPhone",
    "tr": "iPhone'umdan gönderildi",
    "he": "נשלח מה-iPhone שלי",
    "ar": "أُرسلت من الـ iPhone",
    "ja": "iPhoneから送信",
    "ko": "나의 iPhone에서 보냄",
    "zh-CN": "发自我的 iPhone",
    "zh-TW": "從我的iPhone傳送",
    "el": "Στάλθηκε από το iPhone μου",
    "ro": "Trimis de pe iPhone-ul meu",
    "hu": "Az iPhone-omról küldve",
    "hr": "Poslano s mojeg iPhonea",
    "vi": "Đã gửi từ iPhone của tôi",
    "th": "ส่งจาก iPhone ของฉัน",
    "id": "Dikirim dari iPhone saya",
    "ca": "Enviat des del meu iPhone",
    "no": "Sendt fra min iPhone",
}
