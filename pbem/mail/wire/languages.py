"""The words by which mail programs mark what is not the writer's own, and those of courtesy, language by language.

Everything is compared in lower case, with straight apostrophes.
"""

from __future__ import annotations

from typing import Final, NamedTuple


class Language(NamedTuple):
    """One language's words; each field is a list divided by `|`."""

    code: str
    opening: str
    """What an attribution starts with, before its date: "On"."""
    wrote: str
    """Its verb."""
    dates: str
    """How names of days and months begin."""
    sender: str
    """Labels of a header block: From …"""
    sent: str
    to: str
    copy: str
    subject: str
    original: str
    """What stands between dashes above an original or forwarded letter."""
    device: str
    """How lines such as "Sent from my phone" begin."""
    greeting: str
    """How the line begins in which people address whom they write to; "sir," only with its comma."""
    closing: str
    """What people write above their name."""
    notice: str
    """How the sentences begin that a firm or a program puts at the foot of a letter."""


LANGUAGES: Final = (
    Language(
        code="en",
        opening="on",
        wrote="wrote|writes|said",
        dates="mon|tue|wed|thu|fri|sat|sun|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec",
        sender="from|reply-to",
        sent="sent|date",
        to="to",
        copy="cc|bcc",
        subject="subject",
        original="original message|original appointment|forwarded message|begin forwarded message|"
        "forwarded by|reply message",
        device="sent from|sent via|sent with|get outlook for",
        greeting="hi|hello|hey|dear|greetings|good morning|good day|good afternoon|good evening|sir,|sirs,|madam,|"
        "gentlemen|ladies and gentlemen",
        closing="regards|best regards|kind regards|kindest regards|warm regards|with best regards|with kind regards|"
        "best|best wishes|sincerely|yours|yours sincerely|yours faithfully|yours truly|sincerely yours",
        notice="sent with proton mail secure email|sent from my android device with k-9 mail|"
        "this e-mail and any|this email and any|this e-mail message and any|this message and any attach|"
        "this e-mail is confidential|this email is confidential|this message contains confidential|"
        "this email contains confidential|this e-mail contains confidential|this e-mail is intended|"
        "this email is intended|this message is intended only|this communication is intended only|"
        "the information contained in this|the information in this e-mail|the information in this email|"
        "confidentiality notice|if you are not the intended recipient|if you have received this e|"
        "please consider the environment before|this email has been checked for|"
        "this email has been scanned|virus-free",
    ),
    Language(
        code="de",
        opening="am",
        wrote="schrieb|hat geschrieben|geschrieben",
        dates="mo|di|mi|do|fr|sa|so|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag|jän|mär|mai|okt|dez",
        sender="von",
        sent="gesendet|datum",
        to="an",
        copy="cc|kopie",
        subject="betreff",
        original="ursprüngliche nachricht|originalnachricht|original-nachricht|weitergeleitete nachricht|"
        "anfang der weitergeleiteten nachricht|ursprüngliche mail|ursprüngliche e-mail",
        device="gesendet von|gesendet mit|von meinem|von unterwegs gesendet|diese nachricht wurde von meinem|"
        "holen sie sich outlook|outlook für",
        greeting="hallo|hi|hey|servus|moin|moin moin|grüß gott|grüezi|liebe|lieber|liebes|sehr geehrte|sehr geehrter|"
        "sehr geehrtes|sehr geehrte frau|sehr geehrter herr|sehr verehrte|sehr verehrter|verehrte|verehrter|"
        "werte|werter|wertes|meine herren|guten morgen|guten tag|guten abend|schönen guten tag|"
        "schönen guten abend",
        closing="gruß|grüße|viele grüße|beste grüße|liebe grüße|schöne grüße|herzliche grüße|freundliche grüße|"
        "mit freundlichen grüßen|mit freundlichen gruessen|mit freundlichem gruß|mit besten grüßen|mfg|lg|vg",
        notice="diese nachricht wurde von meinem|diese e-mail enthält vertrauliche|"
        "diese e-mail kann vertrauliche|diese e-mail und|diese nachricht enthält vertrauliche|"
        "der inhalt dieser e-mail|bitte denken sie an die umwelt|bitte prüfen sie der umwelt zuliebe|"
        "diese e-mail wurde von",
    ),
    Language(
        code="fr",
        opening="le",
        wrote="a écrit",
        dates="lun|mar|mer|jeu|ven|sam|dim|janv|févr|mars|avr|mai|juin|juil|août|sept|déc",
        sender="de|expéditeur",
        sent="envoyé|envoyé le|date|message du|date d'envoi",
        to="à|a|pour|destinataire",
        copy="cc|copie à|copie",
        subject="objet|sujet",
        original="message d'origine|message original|message initial|message transféré|début du message transféré|"
        "début du message réexpédié|courriel original",
        device="envoyé de|envoyé depuis|envoyé à partir|envoyé par|envoyé avec|télécharger outlook|"
        "obtenez outlook|obtenir outlook",
        greeting="salut|bonjour|bonsoir|coucou|cher|chers|chère|chères|très cher|monsieur|madame|messieurs|mesdames|"
        "mesdames et messieurs|mon général|mon colonel",
        closing="cordialement|bien cordialement|très cordialement|bien à vous|bien à toi|amicalement|salutations|"
        "meilleures salutations|sincères salutations|amitiés",
        notice="ce message et toutes|ce message et ses|ce message et les|ce courriel et|"
        "ce message électronique et|les informations contenues dans ce|pensez à l'environnement avant|"
        "merci de penser à l'environnement",
    ),
    Language(
        code="it",
        opening="il|il giorno|in data",
        wrote="ha scritto|scrive|scriveva",
        dates="lun|mar|mer|gio|ven|sab|dom|gen|mag|giu|lug|ago|set|ott|dic",
        sender="da|mittente",
        sent="inviato|inviato il|data",
        to="a|per",
        copy="cc",
        subject="oggetto",
        original="messaggio originale|messaggio inoltrato|inizio messaggio inoltrato|messaggio originario",
        device="inviato da|inviato dal|inviato con|scarica outlook|ottieni outlook",
        greeting="ciao|ciao a tutti|salve|buongiorno|buon giorno|buonasera|buona sera|caro|cara|cari|care|gentile|"
        "gentili|egregio|egregi|gentilissimo|spettabile",
        closing="saluti|un saluto|cordiali saluti|distinti saluti|cordialmente|a presto",
        notice="questo messaggio e i suoi|questo messaggio e gli|questa e-mail e|"
        "le informazioni contenute in quest|il presente messaggio e|prima di stampare",
    ),
    Language(
        code="es",
        opening="el",
        wrote="escribió|ha escrito",
        dates="lun|mar|mié|mie|jue|vie|sáb|sab|dom|ene|abr|ago|dic",
        sender="de|remitente",
        sent="enviado|enviado el|enviado a las|fecha",
        to="para|a",
        copy="cc",
        subject="asunto",
        original="mensaje original|mensaje reenviado|inicio del mensaje reenviado|mensaje de origen",
        device="enviado desde|enviado con|obtener outlook|descargar outlook",
        greeting="hola|buenos días|buenas tardes|buenas noches|buenas|estimado|estimada|estimados|estimadas|querido|"
        "querida|queridos|muy señor mío|muy señores míos|saludos",
        closing="saludos|un saludo|saludos cordiales|atentamente|cordialmente|un cordial saludo",
        notice="este mensaje y sus|este mensaje y los|este mensaje contiene|este correo electrónico y|"
        "la información contenida en este|antes de imprimir",
    ),
    Language(
        code="nl",
        opening="op",
        wrote="schreef|heeft geschreven|het volgende geschreven",
        dates="ma|di|wo|do|vr|za|zo|mrt|mei|okt|maart|maandag|dinsdag|woensdag|donderdag|vrijdag|zaterdag|zondag",
        sender="van",
        sent="verzonden|datum|verstuurd",
        to="aan",
        copy="cc|kopie",
        subject="onderwerp|betreft",
        original="oorspronkelijk bericht|origineel bericht|doorgestuurd bericht|begin doorgestuurd bericht",
        device="verzonden vanaf|verstuurd vanaf|verstuurd met|verzonden met|verzonden via|outlook voor|"
        "download outlook",
        greeting="hoi|hallo|dag|goedemorgen|goedemiddag|goedenavond|goedendag|beste|geachte|geachte heer|"
        "geachte mevrouw|lieve",
        closing="groet|groeten|met vriendelijke groet|met vriendelijke groeten|vriendelijke groet|mvg|"
        "hartelijke groeten|hartelijke groet",
        notice="dit bericht is uitsluitend|dit e-mailbericht|deze e-mail is|deze e-mail en|"
        "de informatie in dit|de informatie verzonden",
    ),
    Language(
        code="pt",
        opening="em|a|no dia",
        wrote="escreveu",
        dates="seg|ter|qua|qui|sex|sáb|dom|fev|abr|mai|ago|set|out|dez",
        sender="de|remetente",
        sent="enviado|enviada|enviada em|enviado em|data",
        to="para",
        copy="cc",
        subject="assunto",
        original="mensagem original|mensagem encaminhada|início da mensagem encaminhada",
        device="enviado do|enviado de|enviado a partir|enviado via|obter o outlook|obter outlook",
        greeting="olá|oi|bom dia|boa tarde|boa noite|caro|cara|caros|caras|prezado|prezada|prezados|estimado|exmo|"
        "excelentíssimo",
        closing="atenciosamente|cumprimentos|com os melhores cumprimentos|abraços|um abraço|saudações|att",
        notice="esta mensagem e seus|esta mensagem e os|esta mensagem pode conter|este e-mail e|antes de imprimir",
    ),
    Language(
        code="da",
        opening="den|d.",
        wrote="skrev|har skrevet",
        dates="man|tir|ons|tor|fre|lør|søn|maj|okt",
        sender="fra",
        sent="sendt|dato",
        to="til",
        copy="cc|kopi",
        subject="emne",
        original="oprindelig besked|oprindelig meddelelse|original meddelelse|videresendt besked|"
        "videresendt meddelelse|start på videresendt besked",
        device="sendt fra|hent outlook|sendt via",
        greeting="hej|hejsa|goddag|godmorgen|god morgen|god aften|kære",
        closing="hilsen|venlig hilsen|med venlig hilsen|mange hilsner|bedste hilsner|kh|mvh",
        notice="denne e-mail og|denne e-mail kan|denne e-mail er|tænk på miljøet",
    ),
    Language(
        code="no",
        opening="den|på",
        wrote="skrev|har skrevet",
        dates="man|tir|ons|tor|fre|lør|søn|mai|okt|des",
        sender="fra",
        sent="sendt|dato",
        to="til",
        copy="cc|kopi",
        subject="emne",
        original="opprinnelig melding|original melding|videresendt melding|start på videresendt melding",
        device="sendt fra|skaff deg outlook|få outlook",
        greeting="hei|god dag|god morgen|god kveld|kjære",
        closing="hilsen|vennlig hilsen|med vennlig hilsen|mvh|beste hilsen",
        notice="denne e-posten|denne e-postmeldingen|tenk på miljøet",
    ),
    Language(
        code="sv",
        opening="den",
        wrote="skrev|har skrivit",
        dates="mån|tis|ons|tor|fre|lör|sön|maj|okt",
        sender="från",
        sent="skickat|skickades|datum",
        to="till",
        copy="cc|kopia",
        subject="ämne",
        original="ursprungligt meddelande|originalmeddelande|vidarebefordrat meddelande|"
        "vidarebefordrat brev|börja vidarebefordrat meddelande",
        device="skickat från|skickat med|hämta outlook|skickad från",
        greeting="hej|hejsan|tjena|god dag|god morgon|god kväll|kära|käre|bästa|bäste",
        closing="hälsningar|vänliga hälsningar|med vänliga hälsningar|med vänlig hälsning|vänligen|mvh",
        notice="detta e-postmeddelande|detta meddelande är avsett|tänk på miljön",
    ),
    Language(
        code="fi",
        opening="",
        wrote="kirjoitti",
        dates="ma|ti|ke|to|pe|la|su|maanantai|tiistai|keskiviikko|torstai|perjantai|lauantai|sunnuntai|"
        "tammi|helmi|maalis|huhti|touko|kesä|heinä|elo|syys|loka|marras|joulu",
        sender="lähettäjä",
        sent="lähetetty|päivämäärä|päiväys|pvm",
        to="vastaanottaja|vastaanottajat",
        copy="kopio|cc",
        subject="aihe",
        original="alkuperäinen viesti|välitetty viesti|edelleenlähetetty viesti",
        device="lähetetty|hanki outlook",
        greeting="hei|moi|terve|hyvä|hyvää huomenta|hyvää päivää|hyvää iltaa|arvoisa|rakas",
        closing="terveisin|ystävällisin terveisin|parhain terveisin|terv",
        notice="tämä sähköposti|tämä viesti on tarkoitettu|tämä viesti ja",
    ),
    Language(
        code="pl",
        opening="w dniu|dnia|w",
        wrote="napisał|napisała|napisał(a)|napisał/a|napisali|pisze",
        dates="pon|wto|wt|śro|śr|czw|czwartek|pt|pią|sob|nie|niedz|sty|lut|mar|kwi|maj|cze|lip|sie|wrz|paź|lis|gru",
        sender="od|nadawca",
        sent="wysłano|wysłane|data|wysłany",
        to="do|adresat",
        copy="dw|kopia",
        subject="temat",
        original="oryginalna wiadomość|wiadomość oryginalna|wiadomość przekazana|przekazana wiadomość|"
        "treść oryginalnej wiadomości|początek przekazywanej wiadomości",
        device="wysłane z|wysłano z|wysłane za|pobierz outlook|pobierz aplikację outlook",
        greeting="cześć|witam|witaj|dzień dobry|dobry wieczór|drogi|droga|drodzy|szanowny|szanowna|szanowni|"
        "szanowny panie|szanowna pani|szanowni państwo",
        closing="pozdrawiam|z poważaniem|pozdrowienia|serdecznie pozdrawiam|pozdrawiam serdecznie",
        notice="ta wiadomość oraz|ta wiadomość jest|niniejsza wiadomość|treść tej wiadomości",
    ),
    Language(
        code="cs",
        opening="dne",
        wrote="napsal|napsala|napsal(a)",
        dates="po|út|st|čt|pá|so|ne|led|úno|bře|dub|kvě|čer|srp|zář|říj|lis|pro",
        sender="od",
        sent="odesláno|datum",
        to="komu|pro",
        copy="kopie",
        subject="předmět",
        original="původní zpráva|přeposlaná zpráva|původní e-mail",
        device="odesláno z|odesláno ze|získat outlook|získejte outlook",
        greeting="ahoj|čau|nazdar|dobrý den|dobré ráno|dobrý večer|vážený|vážená|vážení|milý|milá|milí",
        closing="s pozdravem|zdraví|s úctou|s přátelským pozdravem",
        notice="tento e-mail|tato zpráva a|obsah této zprávy",
    ),
    Language(
        code="ru",
        opening="",
        wrote="писал|писала|написал|написала|пишет|писал(а)|написал(а)",
        dates="пн|вт|ср|чт|пт|сб|вс|понедельник|вторник|среда|четверг|пятница|суббота|воскресенье|"
        "янв|фев|мар|апр|мая|май|июн|июл|авг|сен|окт|ноя|дек",
        sender="от|от кого|отправитель",
        sent="отправлено|дата|отправлен",
        to="кому",
        copy="копия",
        subject="тема",
        original="исходное сообщение|исходное письмо|пересылаемое сообщение|пересланное сообщение|"
        "начало переадресованного сообщения|оригинальное сообщение",
        device="отправлено с|отправлено из|отправлено от|получить outlook|скачать outlook",
        greeting="привет|здравствуйте|здравствуй|добрый день|доброе утро|добрый вечер|уважаемый|уважаемая|уважаемые|"
        "дорогой|дорогая|дорогие",
        closing="с уважением|с наилучшими пожеланиями|всего доброго|всего хорошего",
        notice="настоящее сообщение|это сообщение и|данное сообщение|содержание данного сообщения",
    ),
    Language(
        code="ja",
        opening="",
        wrote="書きました|のメール|書いた",
        dates="",
        sender="差出人|送信者|from",
        sent="送信日時|送信日|日時|日付|送信済み",
        to="宛先|to",
        copy="cc",
        subject="件名",
        original="元のメッセージ|転送されたメッセージ|元のメール|オリジナルメッセージ",
        device="iphoneから送信|ipadから送信|androidから送信|outlook for|私のiphoneから送信|スマートフォンから送信",
        greeting="拝啓|こんにちは|こんばんは|おはようございます|お世話になっております|お世話になります|はじめまして",
        closing="敬具|よろしくお願いします|よろしくお願いいたします|宜しくお願いします|宜しくお願い致します",
        notice="このメールは機密|本メールは|本メールの内容",
    ),
    Language(
        code="ko",
        opening="",
        wrote="님이 작성|작성|썼습니다|님이 쓴 글",
        dates="",
        sender="보낸 사람|보낸사람|발신",
        sent="보낸 날짜|날짜|보낸날짜",
        to="받는 사람|받는사람|수신",
        copy="참조",
        subject="제목",
        original="원본 메시지|원본 메일|전달된 메시지|원본메시지|original message",
        device="나의 iphone에서|내 iphone에서|나의 ipad에서|내 ipad에서|outlook 다운로드",
        greeting="안녕하세요|안녕하십니까|안녕|친애하는|존경하는",
        closing="감사합니다|드림|안녕히 계세요",
        notice="본 메일은|본 메일에|이 메일은 기밀",
    ),
    Language(
        code="zh",
        opening="在|于|於",
        wrote="写道|寫道|写到|撰写|寫",
        dates="",
        sender="发件人|寄件者|寄件人|發件人",
        sent="发送时间|发送日期|日期|寄件日期|傳送時間|傳送日期|时间",
        to="收件人|收件者",
        copy="抄送|副本|cc",
        subject="主题|主旨|主題",
        original="原始邮件|原始郵件|原邮件|转发的邮件|轉寄的郵件|转发邮件|邮件原件|原始信件",
        device="发自我的|从我的|發自我的|傳送自|发送自|获取 outlook|取得 outlook",
        greeting="你好|您好|大家好|尊敬的|敬爱的|親愛的|亲爱的|早上好|下午好|晚上好",
        closing="此致|祝好|顺颂商祺|敬上|谢谢|謝謝",
        notice="本邮件及|本邮件内容|本郵件|此電子郵件|本电子邮件",
    ),
)
"""Every language whose replies are read."""

DEVICES: Final = (
    "android", "blackberry", "galaxy", "handy", "huawei", "ipad", "iphone", "ipod", "mail", "mobil", "outlook", "phone",
    "pixel", "samsung", "smartphone", "tablet", "windows", "xiaomi", "yahoo",
)  # fmt: skip
"""What the last words of a phone name."""
