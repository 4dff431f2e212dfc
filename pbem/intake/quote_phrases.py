"""The words by which mail programs in many languages mark what their user did not write."""

from __future__ import annotations

from pbem.intake.phrase_tables import words

WROTE = words(
    """
wrote|writes|schrieb|geschrieben|écrit|ecrit|escribió|escribio|ha scritto|scritto|scrive
escreveu|schreef|geschreven|skrev|skrifaði|kirjoitti|napisał|pisze|napsal|napísal|ezt írta|írta
a scris|написал|пишет|пише|написав|написа|yazdı|yazmış|έγραψε|napisao|napisala|je napisal
kirjutas|rakstīja|rašė|書きました|のメール|写道|寫道|撰寫|写了|작성|님이 쓴|כתב|מאת|كتب|نوشت
ने लिखा|เขียนว่า|đã viết|menulis|va escriure|idatzi du|shkroi
"""
)

FROM_LABELS = words(
    """
From|Von|De|Da|Van|Från|Fra|Lähettäjä|Od|Feladó|De la|Expeditor|От|От кого|Від|Кому від|Kimden
Gönderen|Από|差出人|送信者|发件人|寄件者|寄件人|發件人|보낸 사람|보낸사람|מאת|من|از|Saatja|No
Nuo|Gửi từ|Từ|Dari|จาก|Frá|Expéditeur|Remitente
Mittente|Remetente|Nga|प्रेषक|送信元|Nork|Daripada
Absender|Afzender|Avsändare|Avsender|Afsender|Odesílatel|Odosielateľ|Nadawca|Отправитель|Подател
Pošiljatelj|Pošiljalac|Sūtītājs|Siuntėjas|Αποστολέας|ผู้ส่ง|Người gửi|Pengirim
"""
)

ORIGINAL = tuple(
    words(
        """
Original Message|Original message|Original Email|Ursprüngliche Nachricht|Original-Nachricht
Originalnachricht|Ursprüngliche Mail|Original Mail|Original-Mail|Message d'origine
Message original|Message initial|Courriel original|Mensaje original|Messaggio originale
Messaggio Originale|Mensagem original|Mensagem Original|Oorspronkelijk bericht|Origineel bericht
Originalmeddelande|Ursprungligt meddelande|Opprinnelig melding|Original melding
Oprindelig meddelelse|Oprindelig besked|Alkuperäinen viesti|Wiadomość oryginalna
Oryginalna wiadomość|Wiadomość pierwotna|Původní zpráva|Původní e-mail|Pôvodná správa
Eredeti üzenet|Mesaj original|Mesajul original|Исходное сообщение|Оригинальное сообщение
Первоначальное сообщение|Оригінальне повідомлення|Вихідне повідомлення|Оригинално съобщение
Özgün İleti|Orijinal Mesaj|Orijinal İleti|Αρχικό μήνυμα|Original poruka|Izvorna poruka
Izvirno sporočilo|Algne kiri|Sākotnējais ziņojums|Originalus laiškas|元のメッセージ|元のメール
原始邮件|原始郵件|原邮件|原始信件|原始訊息|邮件原件|원본 메시지|원본 메일|원본 이메일
הודעה מקורית|الرسالة الأصلية|پیام اصلی|Thư gốc|Pesan Asli|Missatge original|Jatorrizko mezua
Reply message|Reply Message|Quoted message|Antwort Nachricht|Oprindelig mail
Alkuperäinen sähköposti|回复的邮件|回复邮件|答复邮件|Mail original|Message d'origine|E-mail original
Courrier original|Correo original|E-mail originale|Oorspronkelijke e-mail
Opprinnelig e-post|Ursprungligt mail|Původní mail|Pôvodný e-mail|Eredeti levél
Исходное письмо|Оригінальний лист|原始内容|ข้อความต้นฉบับ|मूल संदेश|Mesej Asal|E-mel asal
Oorspronkelijk e-mailbericht|Ursprüngliche E-Mail|Original-E-Mail|Upphafleg skilaboð
"""
    )
)
FORWARDED = tuple(
    words(
        """
Forwarded message|Forwarded Message|Forwarded by|Forwarded email|Weitergeleitete Nachricht
Weitergeleitet von|Anfang der weitergeleiteten|Message transféré|Message transmis|Transféré par
Début du message|Mensaje reenviado|Inicio del mensaje|Messaggio inoltrato|Inizio messaggio
Inoltrato da|Mensagem encaminhada|Início da mensagem|Doorgestuurd bericht|Begin doorgestuurd
Vidarebefordrat|Vidarebefordrat meddelande|Börja vidarebefordrat|Videresendt melding
Videresendt besked|Videresendt meddelelse|Start på videresendt|Begynnelse på videresendt
Välitetty viesti|Edelleenlähetetty|Przekazana wiadomość|Wiadomość przekazana|Treść przekazanej
Początek przekazywanej|Přeposlaná zpráva|Začátek přeposílané|Preposlaná správa
Továbbított üzenet|Továbbított levél|Mesaj redirecționat|Mesaj redirectionat
Пересылаемое сообщение|Пересланное сообщение|Переадресованное сообщение|Начало переадресованного
Переслане повідомлення|Препратено съобщение|İletilen mesaj|Yönlendirilmiş ileti|İletilmiş mesaj
Προωθημένο μήνυμα|Αρχή προωθημένου|Proslijeđena poruka|Edastatud kiri|転送されたメッセージ
転送メッセージ|Begin forwarded message|转发邮件|轉寄郵件|转发的邮件|轉寄的郵件|以下是转发
开始转发|開始轉寄|전달된 메시지|전달된 메일|הודעה שהועברה|הודעה מועברת|رسالة معاد توجيهها
الرسالة المحولة|پیام هدایت|Thư đã chuyển tiếp
Pesan terusan|Missatge reenviat|Mensagem reencaminhada
Mensaje remitido|Перенаправлене повідомлення|Пересланное письмо|Пересилане повідомлення
メッセージを転送|転送したメール|転送元のメッセージ|Doorgestuurde e-mail|Doorgestuurd mailbericht
Weitergeleitete E-Mail|Weitergeleitete Mail|Weitergeleitete Message|Videresendt e-post
Videresendt mail|Vidarebefordrat mail|Vidarebefordrat e-postmeddelande|Välitetty sähköposti
Přeposlaný e-mail|Preposlaný e-mail|Posredovano sporočilo|Prosleđena poruka|Persiųstas laiškas
Pārsūtītā ziņa|Edasi saadetud kiri|Áframsent skeyti|ข้อความที่ส่งต่อ|अग्रेषित संदेश|전달한 메시지
Mesej Dimajukan|Thư được chuyển tiếp|E-mail transféré|Courriel transféré|E-mail inoltrata
"""
    )
)

MOBILE = tuple(
    words(
        """
Sent from my |Sent from Mail|Sent from Outlook|Sent from Yahoo|Sent from Proton
Sent from Samsung|Sent from Gmail|Sent from BlueMail|Sent from Spark|Sent from Nine
Sent from Canary|Sent from myMail|Sent from Mailspring|Sent from AOL|Sent from TypeApp
Sent from Aqua|Sent from FairEmail|Sent from Thunderbird|Sent via |Sent with |Sent using |
Sent on my |Sent mobile|Get Outlook for|Get BlueMail|Sent off the |Sent from iPhone
Sent from iPad|Sent from Android|Sent from Windows|Get TypeApp|Send from my |Typed on |
Written on my |Please excuse |Pardon the brevity|Excuse my brevity|Von meinem |Von meiner |
Gesendet von |Gesendet mit |Gesendet via |Gesendet über |Diese Nachricht wurde von meinem
Gesendet aus |Sende von |Outlook für |Holen Sie sich Outlook|Envoyé de |Envoyé depuis |
Envoyé à partir |Envoyé d|Envoyé avec |Envoyé par |Télécharger Outlook|Obtenir Outlook
Obtenez Outlook|Enviado desde |Enviado de |Enviado do |Enviado con |Enviado com |Enviado via |
Enviado por |Enviado mediante |Obtener Outlook|Obter o Outlook|Baixar o Outlook|Inviato da |
Inviato dal |Inviato con |Inviato tramite |Scarica Outlook|Ottieni Outlook|Verzonden vanaf |
Verstuurd vanaf |Verzonden met |Verstuurd met |Verzonden via |Verzonden vanuit |
Verstuurd vanuit |Outlook downloaden|Outlook voor |Skickat från |Skickat med |Skickad från |
Skaffa Outlook|Hämta Outlook|Sendt fra |Sendt med |Sendt via |Hent Outlook|Få Outlook
Skaff deg Outlook|Last ned Outlook|Lähetetty |Hanki Outlook|Wysłane z |Wysłano z |Wyslane z |
Pobierz Outlook|Pobierz program Outlook|Odesláno z|Odoslané z|Odesláno pomocí|Získat Outlook
Stáhnout Outlook|Stiahnuť Outlook|Küldve |Elküldve |Az Outlook beszerzése|Trimis de |Trimis din |
Trimis de pe |Obțineți Outlook|Descărcați Outlook|Отправлено |Отправлен |Скачать Outlook
Получить Outlook|Надіслано |Відправлено |Изпратено от |Изпратено с |Изтегляне на Outlook
iPhone'umdan |iPad'imden |Outlook'u edinin|Outlook for |Στάλθηκε από |Εστάλη από |Αποκτήστε |
Λήψη του Outlook|Poslano s |Poslano iz |Poslato sa |Saadetud minu|Nosūtīts no|Išsiųsta iš
iPhoneから|iPadから|Androidから|Outlook for iOS を|iOS 用 Outlook|发自我的|发自 |来自我的|从我的
從我的|傳送自|寄自我的|发送自|使用 Outlook|获取 Outlook|取得 Outlook|나의 iPhone|내 iPhone
나의 iPad|내 Galaxy|Galaxy에서|iPhone에서|Outlook 다운로드|נשלח מה|נשלח מ|קבל את Outlook
أُرسلت من|أرسلت من|مرسل من|تم الإرسال من|الحصول على Outlook|ارسال شده از
Được gửi từ |Đã gửi từ |Gửi từ |
Dikirim dari |Enviat des |Enviat del |Nire iPhone|Bidalia |Sendt på |Sent: from|Yahoo Mail
From my iPhone|From my iPad|From my Android|Windows için Posta|iOS için Outlook|Android için Outlook
Von Yahoo|Provenance : |Android'deki Yahoo|Samsung Galaxy cihazımdan|Skickades från
iPhone-omról|Az iPhone-omról|A Windows Posta
Αποστολή από |Windows 版のメール|从 Windows|從 Windows
通过 Windows|Windows용 메일|ส่งจาก |Sent by mobile
Mobil gesendet|Von unterwegs|Per Handy gesendet|Envoyé par mobile|Enviado móvil|由 Outlook|由 iPhone
YahooMail|Sent from Yahoo Mail|Via iPhone|Verstuurd vanaf mijn|gesendet von |gesendet mit
"""
    )
)

LEGAL_OPENERS = tuple(
    words(
        """
confidentiality notice|confidentiality:|disclaimer|legal notice|legal disclaimer
important notice|privacy notice|haftungsausschluss|vertraulichkeitshinweis
avis de confidentialité|avis important|clause de non|aviso legal|aviso de confidencial
aviso de privacidad|avviso di riservatezza|informativa privacy|avertissement|advertencia legal
isenção de responsabilidade|aviso de confidencialidade|vertrouwelijkheid|konfidentialitet
уведомление о конфиденциальности|конфиденциальность|zastrzeżenie|klauzula poufno|gizlilik
免责声明|保密声明|免責事項|機密|virus-free|virenfrei|libre de virus|garanti sans virus
sans virus|mail priva di virus|senza virus|vrij van virussen|sem vírus|bez wirusów|без вирусов
不含病毒|this email has been checked for viruses|this e-mail has been checked for viruses
this email has been scanned|diese e-mail wurde von avast|cet e-mail a été vérifié
cet email a été vérifié|this message has been scanned|please consider the environment
think before you print|before printing|p please consider|pensez à l'environnement
merci de penser|save a tree|think green
"""
    )
)
LEGAL_STEMS = tuple(
    words(
        """
confidential|intended recipient|intended solely|privileged|unauthori|notify the sender|addressee
disclos|disseminat|in error|strictly prohibited|legally binding|copying|virus|vertraulich
empfänger|irrtümlich|rechtswidrig|unbefugt|vernichten|confidentiel|destinataire|par erreur
interdite|confidencial|destinatari|por error|prohibid|riservat|per errore|vietat|destinatár
por engano|proibid|vertrouwelijk|geadresseerde|niet bestemd|konfidentiell|mottagare|fortrolig
modtager|mottaker|luottamuksell|vastaanottaja|poufn|adresat|adressat|omyłk|důvěrn|příjemc|dôvern|príjemc
bizalmas|címzett|confiden\u021b|destinatar|конфиденциальн|получател|ошибочн|конфіденційн
одержувач|поверителн|gizli|alıcı|yetkisiz|εμπιστευτικ|παραλήπτη|機密|受信者|保密|收件人|机密
기밀|수신인|סודי|נמען|سري|المستلم|registered office|registered in|company number|liability
responsib|employer|company accepts no
"""
    )
)
