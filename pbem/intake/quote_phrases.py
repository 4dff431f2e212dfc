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


MOBILE = tuple(
    words(
        """
Sent from my |Sent from Mail|Sent from Yahoo|Sent from Proton|Sent from Samsung|Sent from Gmail
Sent from BlueMail|Sent from Spark|Sent from Nine|Sent from Canary|Sent from myMail|Sent from AOL
Sent from TypeApp|Sent from Aqua|Sent from FairEmail|Sent from Thunderbird|Sent via |Sent with |
Sent using |Sent on my |Sent mobile|Get BlueMail|Sent off the |Sent from iPhone|Sent from iPad
Sent from Android|Sent from Windows|Get TypeApp|Send from my |Typed on |Written on my |
Please excuse |Pardon the brevity|Excuse my brevity|Von meinem |Von meiner |Gesendet von |
Gesendet via |Gesendet über |Diese Nachricht wurde von meinem|Gesendet aus |Sende von |
Envoyé à partir |Envoyé d|Envoyé avec |Envoyé par |Enviado desde |Enviado de |Enviado do |
Enviado con |Enviado com |Enviado via |Enviado por |Enviado mediante |Inviato da |Inviato dal |
Inviato con |Inviato tramite |Verzonden vanaf |Verstuurd vanaf |Verzonden met |Verstuurd met |
Verzonden via |Verzonden vanuit |Verstuurd vanuit |Skickat från |Skickat med |Skickad från |
Sendt fra |Sendt med |Sendt via |Lähetetty |Wysłane z |Wysłano z |Wyslane z |Odesláno z|Odoslané z
Odesláno pomocí|Küldve |Elküldve |Trimis de |Trimis din |Отправлено |Отправлен |Надіслано |
Відправлено |Изпратено от |Изпратено с |iPhone'umdan |iPad'imden |Στάλθηκε από |Εστάλη από |
Αποκτήστε |Poslano s |Poslano iz |Poslato sa |Saadetud minu|Nosūtīts no|Išsiųsta iš|iPhoneから
iPadから|Androidから|发自我的|发自 |来自我的|从我的|從我的|傳送自|寄自我的|发送自|나의 iPhone
내 iPhone|나의 iPad|내 Galaxy|Galaxy에서|iPhone에서|נשלח מ|أُرسلت من|أرسلت من|مرسل من
تم الإرسال من|ارسال شده از|Được gửi từ |Đã gửi từ |Gửi từ |Dikirim dari |Enviat des |Enviat del |
Nire iPhone|Bidalia |Sendt på |Sent: from|Yahoo Mail|From my iPhone|From my iPad|From my Android
Windows için Posta|Von Yahoo|Provenance : |Android'deki Yahoo|Samsung Galaxy cihazımdan
Skickades från|iPhone-omról|Az iPhone-omról|A Windows Posta|Αποστολή από |Windows 版のメール
从 Windows|從 Windows|通过 Windows|Windows용 메일|ส่งจาก |Sent by mobile|Mobil gesendet
Von unterwegs|Per Handy gesendet|Enviado móvil|由 iPhone|YahooMail|Via iPhone|gesendet mit
"""
    )
)

LEGAL_OPENERS = tuple(
    words(
        """
confidentiality notice|confidentiality:|disclaimer|legal notice|legal disclaimer|important notice
privacy notice|haftungsausschluss|vertraulichkeitshinweis|avis de confidentialité|avis important
clause de non|aviso legal|aviso de confidencial|aviso de privacidad|avviso di riservatezza
informativa privacy|avertissement|advertencia legal|isenção de responsabilidade|vertrouwelijkheid
konfidentialitet|уведомление о конфиденциальности|конфиденциальность|zastrzeżenie|klauzula poufno
gizlilik|免责声明|保密声明|免責事項|機密|virus-free|virenfrei|libre de virus|garanti sans virus
sans virus|mail priva di virus|senza virus|vrij van virussen|sem vírus|bez wirusów|без вирусов
不含病毒|this email has been checked for viruses|this e-mail has been checked for viruses
this email has been scanned|diese e-mail wurde von avast|cet e-mail a été vérifié
cet email a été vérifié|this message has been scanned|please consider the environment
think before you print|before printing|p please consider|pensez à l'environnement|merci de penser
save a tree|think green
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
