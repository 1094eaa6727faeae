//! One spelling for prose: copies in other forms of letters are found, and words that differ in a mark are other words.

use fanmill::pipeline::Config;
use fanmill::report::Pair;
use fanmill_text::frontend::Mark;

use crate::compare::{Handed, comparison};

const GERMAN: &str = "Für die Überfahrt brauchte der Müller drei Stunden, weil der Fluss nach der Schneeschmelze größer war als \
    gewöhnlich. Am Ufer standen früher Bäume, deren Äste über das Wasser hingen; jetzt lagen dort nur noch Stämme, und die Mühle \
    hörte auf zu mahlen. Später erzählte er den Söhnen, daß er an jenem Abend zum ersten Mal gefürchtet habe, die Brücke könnte \
    brechen, während die Kühe drüben auf der Straße stünden und brüllten.";
const ARABIC: &str = "وَصَلَ المسافر إلى القرية قبل غروب الشمس بقليل، وسأل عن بيت الشيخ الذي كان يسكن قرب البئر القديمة. قال له أحد \
    الأطفال إن الشيخ ذهب إلى السوق مع ابنته، وإنه سيعود بعد صلاة العشاء على الأكثر. جلس الرجل تحت شجرة كبيرة، وأخرج من حقيبته خبزًا \
    وتمرًا، ثم أكل وشرب وانتظر حتى امتلأت السماء بالنجوم ونامت القرية كلها إلا كلبًا واحدًا ظل ينبح عند الباب.";
const HEBREW: &str = "בַּבֹּקֶר יָצָא הַדַּיָּג אֶל הַיָּם וְרָאָה שֶׁהָרוּחַ הִשְׁתַּנְּתָה בַּלַּיְלָה. הוּא קָשַׁר אֶת הַסִּירָה לָרָצִיף הַיָּשָׁן וְחִכָּה עַד שֶׁאָחִיו הַקָּטָן הֵבִיא לוֹ אֶת הָרֶשֶׁת. \
    אַחַר כָּךְ הֵם הִפְלִיגוּ יַחַד אֶל הָאִי שֶׁמּוּל הַנָּמֵל, וּבָעֶרֶב חָזְרוּ עִם דָּגִים רַבִּים וְסִפְּרוּ לְכָל הַכְּפָר עַל סְפִינָה זָרָה שֶׁרָאוּ בָּאֹפֶק.";
const HINDI: &str = "गाँव के बाहर एक पुराना मन्दिर था, जहाँ शाम को बच्चे खेलते थे और बूढ़े लोग ज़मीन के झगड़ों की बातें करते थे। एक दिन वहाँ \
    एक अजनबी आया, जिसके हाथ में सिर्फ़ एक बन्द सन्दूक था। उसने किसी से कुछ नहीं कहा, पर रात भर दीये की रोशनी में काग़ज़ पर कुछ लिखता रहा, \
    और सुबह होते ही हिन्दी में लिखी हुई वह चिट्ठी पुजारी को देकर नदी की ओर चल पड़ा।";
const PERSIAN: &str = "پیرمرد هر روز صبح به کنار رودخانه می‌رفت و کتاب‌های کهنه‌اش را روی سنگ‌ها می‌چید تا آفتاب بخورند. بچه‌های ده از دور \
    نگاهش می‌کردند و می‌گفتند که او جادوگر است، ولی هیچ‌کدام جرأت نمی‌کردند نزدیک‌تر بروند. یک روز که باران تندی گرفته بود، دختر نانوا \
    دوید و همهٔ کتاب‌ها را زیر چادرش گرفت، و پیرمرد به او خواندن آموخت.";
const TRADITIONAL: &str = "老漁夫每天清晨都會劃著小船離開港灣，到遠處的島嶼後面去撒網。村裡的人說他從來不與別人講話，只對著海鷗唱歌。有一年冬天風暴來得特別早，\
    幾艘船沒有回來，他卻帶著三個陌生的孩子回到了岸邊，並且把自己的屋子讓給了他們。從那時候起，學校裡的學生們每個週末都去聽他講關於龍與鯨魚的故事。";
const SIMPLIFIED: &str = "老渔夫每天清晨都会划着小船离开港湾，到远处的岛屿后面去撒网。村里的人说他从来不与别人讲话，只对着海鸥唱歌。有一年冬天风暴来得特别早，\
    几艘船没有回来，他却带着三个陌生的孩子回到了岸边，并且把自己的屋子让给了他们。从那时候起，学校里的学生们每个周末都去听他讲关于龙与鲸鱼的故事。";
const JAPANESE: &str = "駅前のカフェでコーヒーを飲みながら、ペンギンのデザインのノートにスケッチを描いていた。2026年のセールでパソコンとキーボードを買った\
    ばかりのエンジニアが、となりのテーブルでプログラムのテストをしていて、ときどきガムをかみながらディスプレイをながめていた。";
const RUSSIAN: &str = "Ещё до рассвета старый пасечник обошёл все ульи и нашёл, что мёд в этом году тёмный и густой. Он позвал внука, который \
    пришёл с ведёрком, и они вдвоём вынесли тяжёлые рамки на солнце. Пчёлы гудели, но не жалили, а далеко за рекой уже зажёгся костёр, \
    и чьи-то голоса пели о том, как берёза растёт у дороги.";
const GREEK: &str = "Ο γέρος ψαράς έφτιαχνε τα δίχτυα του κάθε απόγευμα μπροστά στο σπίτι και διηγόταν στα παιδιά ιστορίες για πλοία που \
    χάθηκαν. Όταν φυσούσε δυνατός άνεμος, κανείς δεν έβγαινε στη θάλασσα, μα εκείνος άναβε ένα φανάρι και περίμενε στην άκρη του \
    μόλου μέχρι να ξημερώσει, γιατί κάποτε είχε υποσχεθεί στον αδερφό του ότι θα τον περιμένει.";
const ENGLISH: &str = "Nobody in the valley could say who had planted the row of walnut trees behind the chapel, but every autumn the \
    children came with baskets and the sexton pretended not to see them. When the road was widened, three of the trees were felled, and \
    the oldest farmer carved a bench out of the trunk. On summer evenings travellers rest there, and read the names that are cut into \
    the wood, and wonder whether the dates beside them are birthdays or something sadder.";

/// Each text, and the copy of it.
fn compared(texts: &[(&str, String)]) -> Vec<Pair> {
    let handed = texts.iter().map(|(name, text)| Handed::new(name, "text.txt", text.as_str()));
    comparison(&handed.collect::<Vec<_>>(), &Config::standard()).report.pairs
}

/// The score of the only pair of two texts among unrelated ones.
fn score(a: &str, b: &str) -> f64 {
    let others =
        [GERMAN, ARABIC, HEBREW, HINDI, PERSIAN, SIMPLIFIED, JAPANESE, RUSSIAN, GREEK, ENGLISH];
    let mut texts = vec![("a", a.to_owned()), ("b", b.to_owned())];
    let names = ["c", "d", "e", "f", "g", "h", "i", "j", "k", "l"];
    let has = |text: &str| text == a || text == b;
    // The text in simplified characters is that in traditional ones.
    let is_chinese = [TRADITIONAL, SIMPLIFIED].contains(&a);
    let others =
        others.into_iter().filter(|text| !(has(text) || is_chinese && *text == SIMPLIFIED));
    texts.extend(names.into_iter().zip(others).map(|(name, text)| (name, text.to_owned())));
    let pairs = compared(&texts);
    pairs.iter().find(|pair| (pair.a, pair.b) == (0, 1)).map_or(0.0, |pair| pair.score)
}

fn without(text: &str, marks: &[std::ops::RangeInclusive<char>]) -> String {
    text.chars().filter(|c| !marks.iter().any(|range| range.contains(c))).collect()
}

fn exchanged(text: &str, pairs: &[(&str, &str)]) -> String {
    pairs.iter().fold(text.to_owned(), |text, (from, to)| text.replace(from, to))
}

fn assert_found<'t>(copies: impl IntoIterator<Item = (&'t str, &'t str, String)>) {
    for (kind, text, copy) in copies {
        assert_ne!(text, copy, "{kind}");
        let score = score(text, &copy);
        assert!(score >= 0.95, "{kind}: {score:.3}");
    }
}

#[test]
fn copies_in_other_letters_are_found_whole() {
    let umlauts = [("ä", "ae"), ("ö", "oe"), ("ü", "ue"), ("Ä", "Ae"), ("Ü", "Ue"), ("ß", "ss")];
    let widen = |c: char| {
        if c.is_ascii_alphabetic() { char::from_u32(c as u32 + 0xFEE0).unwrap_or(c) } else { c }
    };
    let narrow = [
        ("カ", "ｶ"),
        ("ペンギン", "ﾍﾟﾝｷﾞﾝ"),
        ("ノート", "ﾉｰﾄ"),
        ("パソコン", "ﾊﾟｿｺﾝ"),
        ("2026", "２０２６"),
        ("ガム", "ｶﾞﾑ"),
    ];
    let greek = [
        ("ά", "α"),
        ("έ", "ε"),
        ("ή", "η"),
        ("ί", "ι"),
        ("ό", "ο"),
        ("ύ", "υ"),
        ("ώ", "ω"),
        ("Ό", "Ο"),
    ];
    assert_found([
        ("umlauts", GERMAN, exchanged(GERMAN, &umlauts)),
        ("characters", TRADITIONAL, SIMPLIFIED.to_owned()),
        ("full width", ENGLISH, ENGLISH.chars().map(widen).collect()),
        ("half width", JAPANESE, exchanged(JAPANESE, &narrow)),
        ("dots of yo", RUSSIAN, exchanged(RUSSIAN, &[("ё", "е")])),
        ("accents of Greek", GREEK, exchanged(GREEK, &greek)),
        ("capitals of Greek", GREEK, exchanged(&GREEK.to_uppercase(), &[("Ά", "Α"), ("Έ", "Ε")])),
    ]);
}

#[test]
fn copies_with_other_signs_for_vowels_and_sounds_are_found_whole() {
    let hamza = [("أ", "ا"), ("إ", "ا"), ("آ", "ا"), ("ئ", "ى"), ("ؤ", "و"), ("ة", "ه")];
    let vowels = ['\u{591}'..='\u{5C7}', '\u{64B}'..='\u{65F}'];
    let stretch = |c: char| [Some(c), Some('\u{640}').filter(|_| c == 'ل' || c == 'ي')];
    let dots = ["ज़", "फ़", "ग़", "ज\u{93C}", "फ\u{93C}", "ग\u{93C}"];
    let dots = dots.into_iter().zip(["ज", "फ", "ग", "ज", "फ", "ग"]).collect::<Vec<_>>();
    let nasals = [("न्द", "ंद"), ("ँ", "ं")];
    let farsi = [("ی", "ي"), ("ک", "ك"), ("\u{200C}", ""), ("ٔ", "")];
    assert_found([
        ("vowel signs", ARABIC, without(ARABIC, &vowels)),
        ("hamza", ARABIC, exchanged(ARABIC, &hamza)),
        ("tatweel", ARABIC, ARABIC.chars().flat_map(stretch).flatten().collect()),
        ("niqqud", HEBREW, without(HEBREW, &vowels)),
        ("nukta", HINDI, exchanged(HINDI, &dots)),
        ("nasals", HINDI, exchanged(HINDI, &nasals)),
        ("joiners and keyboards", PERSIAN, exchanged(PERSIAN, &farsi)),
    ]);
}

#[test]
fn decorated_copies_are_found_and_remarked_on() {
    let each = |n: usize, marks: &[char]| -> String {
        let marked = |(i, c): (usize, char)| {
            let mark = Some(marks[i / n % marks.len()]);
            [Some(c), mark.filter(|_| c.is_ascii_alphabetic() && i % n == 0)]
        };
        ENGLISH.chars().enumerate().flat_map(marked).flatten().collect()
    };
    let vowels = [("a", "à"), ("e", "é"), ("i", "î"), ("o", "ö"), ("u", "ů"), ("n", "ñ")];
    for copy in [
        exchanged(ENGLISH, &vowels),
        each(1, &['\u{323}']),
        each(4, &['\u{307}', '\u{323}', '\u{331}']),
        each(3, &['\u{301}', '\u{300}', '\u{308}', '\u{327}']),
        each(2, &['\u{336}']),
    ] {
        let found = score(ENGLISH, &copy);
        assert!(found >= 0.95, "{copy}: {found:.3}");
        let handed = [Handed::new("a", "a.txt", ENGLISH), Handed::new("b", "b.txt", copy)];
        let compared = comparison(&handed, &Config::standard());
        let marks = &compared.members()[1].parts[0].marks;
        assert!(marks.count(Mark::Decoration) > 20, "{marks:?}");
    }
}

/// In each line, words and their partners, which differ in a mark that tells them apart.
const MINIMAL: [(&str, &str, &str); 6] = [
    (
        "German",
        "schon fallen zahlen losen Bruder Vogel Apfel wurde konnte hatte musste Tochter Laden Garten drucken Ofen Boden Nagel",
        "schön fällen zählen lösen Brüder Vögel Äpfel würde könnte hätte müsste Töchter Läden Gärten drücken Öfen Böden Nägel",
    ),
    (
        "Turkish",
        "on ol kar sık kul sac koc bas kus ılık sınır kır tas is uc tur hala adet yas sis",
        "ön öl kâr şık kül saç koç baş kuş ilik sinir kir taş iş üç tür hâlâ âdet yaş şiş",
    ),
    (
        "Vietnamese",
        "ma bạn la có đá bà me còn cho tráng nha họa mua ăn nam tám sau bảy chin mười",
        "má bàn là cỏ đã bá mẹ con chợ trang nhà hoa mùa ân năm tạm sáu bay chín mươi",
    ),
    (
        "Arabic",
        "كَتَبَ عِلْم مَلِك دَرَسَ حُبّ بَرّ جَدّ سَلَم قَدَم شَعْر حَمَام خَلْق جَمَل وَلَد قَتَلَ ضَرَبَ",
        "كُتُب عَلَم مُلْك دَرَّسَ حَبّ بِرّ جِدّ سُلَّم قِدَم شِعْر حَمَّام خُلُق جُمَل وُلِدَ قُتِلَ ضُرِبَ",
    ),
    (
        "Arabic hamza",
        "أن سأل رأس على كتابة قرأ أثر أمر آثار رأي أسر مدرسة علي إلى",
        "إن سال راس علي كتابه قرا اثر امر أثار راي آسر مدرسه على ألي",
    ),
    (
        "Hindi",
        "दिन पिता सुना कल बल और में मेल बेल सजा राज हंस जरा बाग कम लुट",
        "दीन पीता सूना काल बाल ओर मैं मैल बैल सज़ा राज़ हँस ज़रा बाग़ काम लूट",
    ),
];

#[test]
fn sentences_of_minimal_partners_share_no_passage() {
    for (language, words, partners) in MINIMAL {
        assert_eq!(words.split(' ').count(), partners.split(' ').count());
        let pairs = compared(&[
            ("a", words.to_owned()),
            ("b", partners.to_owned()),
            ("c", ENGLISH.to_owned()),
        ]);
        let shared: Vec<u64> = pairs.iter().map(|pair| pair.longest).collect();
        assert!(shared.is_empty(), "{language}: {shared:?}");
    }
}

#[test]
fn an_umlaut_is_its_digraph_and_not_its_base() {
    let text = "die Bäcker grüßen schöne Mädchen und hören über Brücken böse Vögel";
    let digraphs = "die Baecker gruessen schoene Maedchen und hoeren ueber Bruecken boese Voegel";
    let bases = "die Backer grussen schone Madchen und horen uber Brucken bose Vogel";
    assert!(score(text, digraphs) >= 0.95);
    assert!(score(text, bases) < 0.5, "{}", score(text, bases));
}

/// Phrases that unrelated texts share are no passage where each character is a token, and a sentence is.
#[test]
fn phrases_of_scripts_without_spaces_are_no_passages() {
    let with = |text: &str, phrase: &str| {
        let middle = text.char_indices().nth(text.chars().count() / 2).map_or(0, |(at, _)| at);
        [&text[..middle], phrase, &text[middle..]].concat()
    };
    let longest = |phrase: &str| {
        let pairs = compared(&[("a", with(JAPANESE, phrase)), ("b", with(TRADITIONAL, phrase))]);
        pairs.first().map_or(0, |pair| pair.longest)
    };
    assert_eq!(longest("をすることができませんでした"), 0);
    let sentence = "古い灯台の番人は嵐の夜に三回だけ鐘を鳴らして、港の船に帰り道を教えたという";
    assert!(longest(sentence) > 30);
}
