"""The Vietnamese stories, written in Vietnamese and not translated (the slots are explained in grammar.py).

As in English, three rules keep memory measurable. Only the hero is ever called cậu, cô bé, chú, cô, bé or nó: the
friend goes by name, the helper by what it is (bác rùa, ông lão), and people say tớ, bạn, ta and cháu when they talk.
A colour or a word of the list `object` never describes anything but the story's own object. Names have two syllables,
so that thousands are possible and a name has to be copied, not guessed.
"""

from specviz.bundled.grammar import Language

_BOY_PARTS = (
    "Minh Bảo Gia Thanh Hải Tuấn Khánh Quang Hoài Đức Việt Nhật Xuân Thiên Duy Hữu Đăng Anh Chí Trọng Quốc Thành "
    "Tiến Mạnh Hoàng"
)
_BOY_END_PARTS = (
    "An Khang Nam Khoa Lâm Long Phúc Quân Sơn Tùng Bình Dương Đạt Hiếu Hưng Kiên Lộc Nguyên Phong Thịnh Vinh Huy "
    "Bách Trung"
)
_GIRL_PARTS = (
    "Minh Bảo Gia Thanh Ngọc Thu Mai Lan Khánh Hoài Thảo Phương Kim Hà Quỳnh Bích Diệu Tuệ Vân Cẩm Đan Mỹ Nguyệt "
    "Trâm Hương Tường Ánh"
)
_GIRL_END_PARTS = (
    "Anh Châu Chi Linh Giang Hân My Nga Ngân Nhi Thư Trang Uyên Vy Yến Tâm Thủy Hà Lam Mai Ngọc Thảo Trúc"
)
_NICK_PARTS = (
    "Bông Mun Mướp Vện Cốm Mít Mơ Tép Tôm Bống Mận Bí Ngô Khoai Sắn Lạc Vừng Đậu Gạo Kẹo Bún Nấm Ớt Sò Ốc Chuối Dừa "
    "Dâu Xoài Cà Sữa Bắp Mây Nắng Gió Mưa"
)
_NICK_END_PARTS = (
    "Tí Nhí Xinh Ngoan Tròn Còi Mập Con Út Cả Hiền Vui Lanh Mềm Xù Xoăn Béo Nhỏ Bự Tít Ti Mi Na Bo Bi Su Tô Lu Bin "
    "Ken Ly"
)

WORDS: dict[str, tuple[str, ...]] = {
    "boy": tuple(_BOY_PARTS.split()),
    "boy_end": tuple(_BOY_END_PARTS.split()),
    "girl": tuple(_GIRL_PARTS.split()),
    "girl_end": tuple(_GIRL_END_PARTS.split()),
    "nick": tuple(_NICK_PARTS.split()),
    "nick_end": tuple(_NICK_END_PARTS.split()),
    "animal": (
        "thỏ", "mèo", "gấu", "sóc", "vịt", "chuột", "nhím", "cáo", "rái cá", "cừu", "dê", "ngựa", "hải ly", "chó",
        "lợn",
        "ếch", "hươu", "khỉ", "gà", "nghé", "chim sẻ", "chim cánh cụt", "chồn", "rùa",
    ),
    "helpful": (
        "bác cú", "bác rùa", "ông lão", "bà cụ", "bác trâu", "bác cò", "bà ngỗng", "ông cóc", "bác chèo đò", "bà tiên",
        "bác thợ rèn", "bác voi", "ông bụt", "bác tiều phu", "bác ốc sên", "bà nhện", "bác lái buôn", "bác quạ",
        "bà bán nước", "bác đánh cá", "bác cá voi", "bác ong",
    ),
    "manner": (
        "già", "tốt bụng", "hiền từ", "râu dài", "hay cười", "lưng còng", "từ phương xa tới", "thông thái",
    ),
    "trait": (
        "tốt bụng", "dũng cảm", "tò mò", "kiên nhẫn", "thông minh", "nhút nhát", "vui vẻ", "dịu dàng", "thật thà",
        "cẩn thận", "bướng bỉnh", "mơ mộng", "ít nói", "rộng lượng", "lễ phép", "tinh nghịch", "chăm chỉ", "chu đáo",
    ),
    "colour": (
        "đỏ", "xanh lá", "vàng", "trắng", "tím", "xanh biển", "hồng", "nâu", "bạc", "đen", "xanh ngọc", "xám",
        "xanh rêu",
    ),
    "object": (
        "con diều", "quả bóng", "chiếc khăn", "chiếc đèn lồng", "cái trống", "chiếc mũ", "cái chuông", "cái giỏ",
        "chiếc thuyền giấy", "chiếc chìa khóa", "dải lụa", "chiếc cúc áo", "chiếc ô", "cái còi", "tấm chăn", "cái cốc",
        "chiếc lông chim", "cây sáo", "đôi găng tay", "quyển sổ", "chiếc hộp", "chiếc áo khoác", "viên bi",
        "chiếc xe gỗ",
        "chiếc nhẫn", "quả cầu", "cái túi", "chiếc gối", "sợi dây", "chiếc thìa", "chiếc gương", "hòn sỏi",
    ),
    "home": (
        "trong một ngôi làng nhỏ", "ở ven rừng", "bên bờ một con sông rộng", "trên một ngọn đồi lộng gió", "gần biển",
        "trong một thung lũng yên tĩnh", "trên một hòn đảo xa", "bên hồ sen", "trong một ngôi nhà tranh",
        "dưới chân núi", "ở một thị trấn đông vui", "ở cuối con đường làng", "dưới gốc đa đầu làng",
        "trong một xóm chài", "bên cánh đồng lúa",
    ),
    "place": (
        "bên bờ sông", "ngoài đồng cỏ", "dưới gầm cầu", "sau đống rơm", "cạnh giếng nước", "trong bụi tre",
        "trên bãi cát", "ngoài chợ", "bên bờ ao", "trong vườn nhãn", "sau đình làng", "trên đồi", "dưới gốc thông",
        "gần thác nước", "giữa đám lau sậy", "trong hang tối", "gần cối xay gió", "giữa hai tảng đá",
        "ở ngã ba đường", "trong vườn rau", "trên mái nhà", "trong hốc cây",
    ),
    "gift": (
        "chiếc bánh mật", "hũ mứt gừng", "bát cháo nóng", "bát chè đậu", "túi lạc rang", "chiếc bánh rán", "ổ bánh mì",
        "nải chuối", "đĩa xôi", "chùm nho", "ấm trà sen", "quả lê", "chiếc bánh chưng", "quả dưa hấu", "bát canh cua",
        "gói kẹo lạc",
    ),
    "wish": (
        "nhìn thấy biển", "bơi qua sông", "leo lên ngọn núi cao nhất", "đếm hết sao trên trời", "hát cho cả làng nghe",
        "gặp chị Hằng", "đi thuyền ra đảo xa", "múa thật đẹp", "bay như chim", "nghe câu chuyện xưa nhất",
        "đi qua sa mạc", "bắc một cây cầu", "thắng cuộc đua lớn", "đọc được chữ", "bắt được gió", "ngắm tuyết rơi",
    ),
    "weather": (
        "trời nắng đẹp", "mưa rơi lất phất", "gió lạnh thổi vù vù", "bầu trời đầy mây", "sương mù giăng khắp lối",
        "không khí thơm mùi hoa", "trời nóng như đổ lửa", "sấm rền ở phía xa", "chim hót ríu rít",
        "lá rụng đầy sân", "cầu vồng vừa hiện lên", "mây trôi lững lờ",
    ),
    "day": (
        "Một buổi sáng", "Một hôm", "Một buổi chiều", "Chủ nhật nọ", "Vào một ngày nghỉ", "Ngày đầu tháng",
        "Một buổi trưa", "Ít lâu sau", "Vào phiên chợ", "Hôm sau", "Mấy hôm sau", "Có một ngày",
    ),
    "giver": ("bà ngoại", "ông nội", "mẹ", "bố", "bác cả", "dì út", "thầy giáo", "chị gái", "anh trai", "bà nội"),
    "sad": ("buồn", "lo lắng", "buồn rầu", "sợ hãi", "buồn lắm", "rưng rưng nước mắt"),
    "glad": ("vui", "mừng", "vui sướng", "tự hào", "mừng rỡ", "xúc động", "sung sướng"),
    "lesson": (
        "bạn tốt quý hơn mọi của cải", "nhờ người khác giúp không có gì đáng xấu hổ",
        "đi từng bước nhỏ rồi cũng tới nơi", "có kiên nhẫn thì việc gì cũng xong", "ở hiền thì gặp lành",
        "niềm vui đem chia thì niềm vui lớn lên", "biết lắng nghe là điều quý", "ai cũng có thể giúp ích cho đời",
        "đã hứa thì phải giữ lời", "nói thật bao giờ cũng hơn",
    ),
    "danger": (
        "vũng bùn sâu", "bụi gai", "tấm lưới cũ", "cái hố hẹp", "đống đá", "con mương", "khe núi",
    ),
    "obstacle": (
        "sông rộng quá", "đường lầy lội quá", "cây cầu đã gãy", "dốc cao quá", "gió to quá", "bức tường cao quá",
        "rừng tối quá", "lối mòn bỗng mất hút",
    ),
}

ROLES: tuple[dict[str, str], ...] = (
    {"kind": "cậu bé", "he": "cậu", "hero": "<boy> <boy_end>"},
    {"kind": "cô bé", "he": "cô bé", "hero": "<girl> <girl_end>"},
    {"beast": "<animal>", "kind": "chú {beast}", "he": "chú", "hero": "<nick> <nick_end>"},
    {"beast": "<animal>", "kind": "cô {beast}", "he": "cô", "hero": "<nick> <nick_end>"},
    {"beast": "<animal>", "kind": "con {beast}", "he": "nó", "hero": "<nick> <nick_end>"},
    {"beast": "<animal>", "kind": "bé {beast}", "he": "bé", "hero": "<nick> <nick_end>"},
)

CAST: dict[str, str] = {
    "friend": "<nick> <nick_end>",
    "pal": "<animal>",
    "helper": "<helpful>",
    "colour": "<colour>",
    "object": "<object>",
    "trait": "<trait>",
    "gift": "<gift>",
    "wish": "<wish>",
}

SHARED: dict[str, tuple[str, ...]] = {
    "opening": (
        "Ngày xửa ngày xưa, <home>, có một {kind} tên là {hero}.",
        "Ngày xưa có một {kind} tên là {hero}, sống <home>.",
        "Đã lâu lắm rồi, có một {kind} sống <home>. Mọi người gọi {he} là {hero}.",
        "Ở một nơi rất xa, <home>, có một {kind}, và {kind} ấy tên là {hero}.",
        "Đây là câu chuyện về {hero}, một {kind} sống <home>.",
        "Các bạn có biết {kind} tên là {hero} không? {Hero} và bạn {friend} sống <home>.",
        "Thuở ấy, <home>, một {kind} ra đời. Bố mẹ đặt tên cho {he} là {hero}.",
        "Cách đây không lâu, {kind} {hero} cùng <giver> dọn về sống <home>.",
    ),
    "trait": (
        "{He} rất {trait}, [ai cũng biết thế|lại hay cười|chỉ hơi lẻ loi|và chẳng bao giờ thấy chán].",
        "{Hero} rất {trait} và thích [dạo chơi|ca hát|vẽ tranh|ngồi ngắm mây|nhảy nhót] <place>.",
        "[Khắp vùng|Cả làng|Trên đời này] không ai {trait} bằng {hero}.",
        "Tuy còn nhỏ nhưng {he} rất {trait}.",
        "Ai cũng bảo {hero} là {kind} {trait} nhất [vùng|làng|trên đời].",
        "Mọi người thường khen: {hero} {trait} lắm, [thế là tốt|thật đáng yêu|sau này sẽ nên người].",
    ),
    "friend": (
        "Bạn thân nhất của {he} là một bạn {pal} tên là {friend}.",
        "{He} có một người bạn tốt là {friend}, một bạn {pal}.",
        "Nhà bên có bạn {pal} tên là {friend}, [ngày nào cũng sang chơi với {hero}|cái gì cũng chia cho {hero}].",
        "{Hero} hay chơi với {friend}, một bạn {pal} [béo tròn|vui tính|nhanh nhẹn|gầy gò].",
        "Người bạn duy nhất của {he} là {friend}, một bạn {pal} có giọng nói [trong trẻo|ồm ồm|ngộ nghĩnh].",
        "Ngày nào {he} cũng gặp bạn {pal} tên là {friend} <place>.",
    ),
    "treasure": (
        "{He} có một {object} {colour} do <giver> tặng.",
        "Thứ {he} quý nhất là {object} {colour} của mình.",
        "Hôm Tết, <giver> cho {hero} một {object} {colour}, đi đâu {he} cũng mang theo.",
        "{Hero} chỉ có mỗi một thứ, đó là {object} {colour}.",
        "Hôm sinh nhật, {hero} được tặng một {object} {colour}, và {he} tự hào lắm.",
        "{He} không bao giờ ra khỏi nhà mà thiếu {object} {colour}.",
    ),
    "day": (
        "<day>, <weather>.",
        "<day>, <weather>, {hero} rủ {friend} ra ngoài chơi.",
        "<day>, {hero} nhìn ra cửa sổ. Bên ngoài, <weather>.",
        "<day>, {he} đang chơi <place> thì <weather>.",
        "<day>, <weather>, {hero} [muốn đi chơi|không ngồi yên được|đi dạo một vòng].",
        "",
    ),
    "ask": (
        '"Bạn có thấy {object} {colour} của tớ không?" {he} hỏi. '
        '"[Không|Tớ không thấy|Tiếc quá, không]," {friend} đáp.',
        "{He} hỏi {friend} trước tiên, nhưng {friend} không thấy {object} đâu.",
        '"Giúp tớ với, {friend} ơi!" {he} kêu lên. "{Object} {colour} của tớ mất rồi!"',
        'Bạn {pal} muốn giúp ngay. "Chúng mình sẽ tìm được {object}, {hero} ạ," {friend} nói.',
        '"Đừng khóc, {hero}," {friend} nói. "{Object} {colour} thì dễ thấy lắm."',
    ),
    "meet": (
        "Rồi <place>, {hero} gặp {helper} <manner>.",
        "Ở đó {he} thấy {helper} <manner> đang [nghỉ chân|hát khe khẽ|quét lá|ngắm trời|đọc báo].",
        "Trên đường đi, {he} gặp {helper} <manner>.",
        "Một lát sau, {helper} <manner> đi tới.",
        "{Helper} <manner> nghe thấy hết và lại gần.",
    ),
    "thanks": (
        '"Cháu cảm ơn {helper} ạ!" {hero} nói rồi biếu {helper} một {gift}.',
        "{He} <glad> quá, liền biếu {helper} một {gift}.",
        "Sáng hôm sau, {hero} mang sang cho {helper} một {gift} để cảm ơn.",
        '"{Helper} tốt quá!" {hero} nói. {Helper} chỉ mỉm cười.',
        "{Hero} cảm ơn {helper} rối rít. Rồi cả hai cùng ăn một {gift}.",
        '"Cháu biết lấy gì để cảm ơn ạ?" {hero} hỏi. "Một {gift} là đủ," {helper} cười. Thế là có một {gift}.',
    ),
    "home": (
        "Chiều tối, {hero} và {friend} cùng về nhà, {he} ôm chặt {object} {colour}.",
        "Khi {he} về đến nhà, <giver> đã [ôm chầm lấy|đứng đợi|nấu cơm cho] {he}.",
        "Đêm ấy, {hero} đặt {object} {colour} ngay cạnh giường.",
        '{Friend} đợi sẵn ở cửa. "Bạn {hero} về rồi!" {friend} reo lên.',
        "{Hero} kể cho {friend} nghe mọi chuyện, và {friend} đòi nghe lại lần nữa.",
        "Từ đó {he} giữ {object} thật kỹ.",
        "",
    ),
    "lesson": (
        "Hôm ấy {hero} hiểu ra rằng <lesson>.",
        "Thế là {kind} {trait} ấy biết rằng <lesson>.",
        "{Hero} và {friend} không bao giờ quên rằng <lesson>.",
        '"Bây giờ tớ hiểu rồi, <lesson>," {hero} nói.',
        "Từ hôm ấy, [cả làng|cả xóm|ai ai] cũng bảo nhau rằng <lesson>.",
        "",
    ),
    "ending": (
        "Đêm hôm ấy, {kind} {trait} ngủ thật ngon.",
        "{Hero}, {friend} và {helper} mãi mãi là bạn của nhau.",
        "Hôm nay nếu bạn ghé qua, có khi bạn vẫn gặp {hero} cùng {object} {colour}.",
        "Và từ đó {he} sống vui vẻ mãi bên {object} {colour}.",
        "{Hero} mỉm cười, {friend} cười theo, và câu chuyện đến đây là hết.",
        "{Object} {colour} vẫn còn đó, và {hero} vẫn {trait} như xưa.",
        "{He} thấy mình là {kind} hạnh phúc nhất trên đời.",
    ),
    "farewell": (
        "Đêm hôm ấy, {kind} {trait} ngủ thật ngon.",
        "{Hero}, {friend} và {helper} mãi mãi là bạn của nhau.",
        "Thỉnh thoảng {hero} vẫn nhớ đến {object} {colour} và {he} lại mỉm cười.",
        "{Hero} mỉm cười, {friend} cười theo, và câu chuyện đến đây là hết.",
        "Đến tận bây giờ người ta vẫn kể về {hero}, {kind} {trait}, và {object} {colour}.",
        "{He} thấy mình là {kind} hạnh phúc nhất trên đời.",
    ),
}

_LOST = (
    "opening", "trait", "treasure", "friend", "day",
    (
        "Nhưng khi {he} về đến nhà thì {object} {colour} đã biến mất.",
        "Bỗng một cơn gió mạnh thổi tới, cuốn {object} {colour} đi mất.",
        "{He} vừa đặt {object} xuống một lát, quay lại đã không thấy đâu.",
        "{Hero} chạy nhanh quá nên đánh rơi mất {object} {colour}.",
        "Nhưng {object} rơi xuống nước, và dòng nước cuốn đi mất.",
        "Ngủ trưa dậy, {he} không thấy {object} {colour} đâu nữa.",
    ),
    (
        "{Hero} <sad>.",
        "{He} tìm khắp nơi, cả <place> lẫn <place>, mà không thấy {object} đâu.",
        "{He} ngồi xuống và òa khóc.",
        '"{Object} của tớ đâu rồi?" {he} thì thầm. {Hero} <sad>.',
        "{He} tìm <place>, nhưng chỉ thấy [lá khô|bụi|một vỏ ốc rỗng|một con dế đang ngủ].",
    ),
    "ask", "meet",
    (
        '"Sao cháu khóc?" {helper} hỏi. "{Object} của cháu mất rồi ạ," {hero} đáp.',
        '"Cháu tên là gì?" {helper} hỏi. "Cháu tên là {hero} ạ," {he} đáp.',
        '"Trông cháu <sad> thế," {helper} nói. "Cháu mất {object} {colour} rồi ạ," {hero} đáp.',
        '"Cháu đang tìm gì thế?" {helper} hỏi. "Cháu tìm {object} {colour} ạ," {hero} thưa.',
    ),
    (
        '"Ta thấy một {object} {colour} <spot=place>," {helper} nói.',
        '{Helper} nghĩ một lúc lâu. "Cháu thử tìm <spot=place> xem," {helper} bảo.',
        '{Helper} giơ tay chỉ. "Có cái gì màu {colour} <spot=place> kìa."',
        '"{Object} à? Ta vừa thấy <spot=place>," {helper} nói, "màu {colour} đấy."',
        '{Helper} gật đầu. "Đi tiếp đi, {hero}, rồi tìm <spot=place>."',
    ),
    (
        "{Hero} chạy ngay đến, và quả nhiên, {spot} có {object} {colour}!",
        "Đây rồi! {Spot}, {he} đã tìm thấy {object} {colour}.",
        "{Hero} và {friend} cùng đến đó. {Friend} thấy {object} trước.",
        "Chẳng dễ chút nào, nhưng {spot}, cuối cùng {hero} cũng tìm được {object}.",
        "{Helper} đi cùng {he}, và {spot}, cả hai thấy {object} {colour} vẫn còn [nguyên|mới|sạch].",
    ),
    "thanks", "home", "lesson", "ending",
)

_FOUND = (
    "opening", "trait", "friend", "day",
    (
        "Thế rồi, <place>, {he} nhặt được một {object} {colour}.",
        "{Hero} thấy có vật gì màu {colour} trong đám cỏ. Đó là một {object}.",
        "{He} suýt vấp phải một {object} {colour} nằm giữa đường.",
        '"Nhìn này, {friend} ơi!" {he} reo lên. Trước mặt {he} là một {object} {colour}.',
        "Có một {object} {colour} mắc trên cành cây, và {hero} trèo lên lấy xuống.",
    ),
    (
        '"{Object} này của ai nhỉ?" {he} hỏi.',
        "{Object} đẹp quá! Nhưng đó đâu phải của {he}.",
        '"Giữ lấy đi, {hero}!" {friend} bảo. Nhưng {hero} lắc đầu.',
        "{Hero} rất muốn giữ {object} {colour}, vì {he} chưa bao giờ có thứ gì đẹp thế.",
        '"Chắc có người đang tìm {object} này," {hero} nghĩ.',
    ),
    (
        '{He} hỏi {friend}. "Không phải của tớ đâu," {friend} nói. "{Object} của tớ không phải màu {colour}."',
        "{Hero} và {friend} mang {object} đi hỏi từng nhà, nhưng chẳng ai nhận.",
        "{He} hỏi [bà hàng xóm|thầy giáo|ông đồ|bác sĩ], nhưng không ai mất {object} {colour} cả.",
        "{Friend} cũng không biết, nhưng bạn {pal} nghĩ ra một cách: ra hỏi <place>.",
        "Suốt cả ngày {he} mang {object} {colour} đi khắp các ngả đường.",
    ),
    "meet",
    (
        "{Helper} đang <sad>, vì {helper} vừa mất một {object}.",
        '"Ôi, {object} của ta!" {helper} kêu lên. "Ta đánh rơi <place>."',
        '"Ta mất {object} rồi," {helper} nói. "Màu gì ạ?" {hero} hỏi. "Màu {colour}."',
        "{Helper} nhìn {object} {colour} rồi [bật khóc|bật cười|lặng người đi] vì <glad>.",
    ),
    (
        '"Vậy thì {object} {colour} này là của {helper} rồi," {hero} nói và đưa trả ngay.',
        "{Hero} trả lại {object} ngay lập tức.",
        "{He} chẳng nghĩ ngợi gì, đặt luôn {object} {colour} vào tay {helper}.",
        '"Cháu gửi {helper} ạ," {hero} nói. Xa {object} thì tiếc thật, nhưng {he} vốn {trait}.',
    ),
    (
        '"Cháu {hero} {trait} quá," {helper} khen. "Cháu cầm lấy {gift} này nhé."',
        "{Helper} <glad> quá, tặng {hero} một {gift}. {He} đem {gift} chia cho {friend}.",
        '"Cháu tên là gì?" {helper} hỏi. "Cháu là {hero} ạ," {he} đáp. "Cảm ơn {hero} nhé!"',
        "{Helper} mời {hero} và {friend} cùng ăn một {gift}.",
        '"Cháu giữ lấy {object} đi, {hero}," {helper} nói. "Ta tặng cháu, vì cháu {trait}."',
    ),
    "lesson", "farewell",
)

_GIVEN = (
    "opening", "trait", "friend",
    (
        "Sắp đến sinh nhật {friend}, {hero} tự tay làm một {object} {colour} để tặng.",
        "{Friend} bị ốm, nên {hero} muốn mang cho {friend} một {object} {colour}.",
        "{Friend} mơ ước có một {object} {colour} từ lâu. Thế là {hero} dành dụm tiền mua một {object}.",
        "{Hero} đã hứa tặng {friend} một {object} {colour}, và {he} làm suốt bảy ngày.",
        'Hôm ấy <giver> đưa cho {he} một {object} {colour} và dặn: "Mang {object} này cho {friend} nhé."',
    ),
    (
        "<day>, {he} lên đường, tay ôm {object}, <weather>.",
        "{He} gói {object} vào giấy rồi lên đường.",
        "<day>, {hero} cầm {object} {colour} đi thăm {friend}.",
        "Nhà {friend} ở mãi <place>, phải đi xa lắm.",
    ),
    (
        "Nhưng <obstacle>, {he} không đi tiếp được.",
        "Đi được nửa đường {he} phải dừng lại, vì <obstacle>.",
        "{Hero} đi mãi, đi mãi, nhưng <obstacle>. {He} <sad>.",
        '"Thôi chết," {hero} kêu lên, vì <obstacle>.',
        "Bỗng {he} ngã vào <danger>, {object} cũng rơi theo.",
    ),
    "meet",
    (
        '"Cháu mang {object} {colour} đi đâu thế?" {helper} hỏi.',
        '"{Object} này cho ai vậy?" {helper} hỏi. "Cho {friend}, bạn cháu ạ," {hero} đáp.',
        '"{Object} đẹp quá!" {helper} khen. "Cho ta à?" "Không ạ, cho {friend} ạ," {hero} đáp.',
        '"Ta giúp gì được cháu không?" {helper} hỏi. "Cháu phải mang {object} này cho {friend} ạ," {he} thưa.',
    ),
    (
        '"Trèo lên lưng ta nào, {hero}," {helper} bảo, và thế là {he} đi qua được.',
        "{Helper} biết một lối khác, {hero} đi theo, tay ôm {object} {colour}.",
        "{Helper} kéo, {hero} đẩy, cho đến khi đường thông.",
        "{Helper} cầm giúp {object}, còn {hero} bám thật chặt.",
        '"Ta sẽ chỉ cho cháu một lối đi bí mật," {helper} nói. {Hero} [đi theo|gật đầu|mừng quá].',
    ),
    (
        "Cuối cùng {he} cũng gõ cửa nhà {friend}.",
        "Chẳng mấy chốc {he} đã thấy nhà {friend} <place>.",
        "Lúc trăng lên thì {hero} đã đứng trước nhà {friend}.",
        "{Friend} mở cửa và không tin vào mắt mình.",
    ),
    (
        '"{Object} {colour} này cho tớ à?" {friend} reo lên. "Cảm ơn {hero} nhé!"',
        "{Friend} cầm {object} {colour} nhảy múa khắp nhà.",
        "Vừa thấy {object}, {friend} ôm {hero} thật lâu.",
        '"Đây là {object} đẹp nhất trên đời," {friend} nói, còn {hero} thì <glad>.',
        "{Friend} đặt {object} {colour} bên cửa sổ cho ai cũng thấy.",
    ),
    (
        "Rồi {hero}, {friend} và {helper} cùng ăn một {gift}.",
        "{Friend} bưng ra một {gift}, và {hero} ăn đến no căng.",
        '"Khoan đã, {hero}," {friend} nói. "Tớ có một {gift} cho bạn và {helper} đây."',
        "{He} cũng không quên {helper}, và mang biếu {helper} một {gift}.",
        "",
    ),
    "lesson", "farewell",
)

_WISH = (
    "opening", "trait", "friend",
    (
        "{Hero} chỉ có một điều ước: {he} muốn {wish}.",
        "Đêm nào {he} cũng mơ một giấc mơ. {He} muốn {wish}.",
        '"Sẽ có ngày tớ {wish}," {he} nói với {friend}.',
        "Hơn mọi thứ trên đời, {hero} muốn {wish}.",
        "{He} ngước nhìn trời, ước gì mình có thể {wish}.",
    ),
    (
        '"Bạn còn nhỏ quá, làm sao mà {wish} được," {friend} nói.',
        'Nhưng ai cũng cười {he}. "Làm gì có {kind} nào {wish} được!" họ bảo.',
        '"Không dễ đâu," <giver> nói, "nhưng {hero} rất {trait}."',
        "Nhưng {he} không biết làm thế nào để {wish}, nên {he} <sad>.",
        '{Friend} không cười. "Nếu {hero} muốn {wish}, tớ sẽ đi cùng," {friend} nói.',
    ),
    (
        "Thế là {he} gói {object} {colour} lại và lên đường.",
        "<day>, {he} cầm {object} {colour} rồi chào tạm biệt {friend}.",
        "{Friend} tặng {he} một {object} {colour} để đi đường.",
        "{He} chẳng mang theo gì ngoài một {object} {colour}.",
    ),
    (
        "{He} đi ba ngày liền, đêm ngủ <place>.",
        "Đường thì xa, <weather>.",
        "{Hero} đi [xuyên qua rừng|qua những cánh đồng|dọc bờ biển], <weather>. {He} không hề sợ.",
        "Nhưng rồi <obstacle>, {he} đành nghỉ lại.",
        "",
    ),
    "meet",
    (
        '"Cháu đi đâu thế?" {helper} hỏi. "Cháu muốn {wish} ạ," {hero} đáp.',
        '"Cháu ước gì nào?" {helper} hỏi. "Cháu ước được {wish} ạ," {he} thưa.',
        '"Ai đến đây cũng có một điều ước," {helper} nói. "Cháu muốn {wish} ạ," {hero} đáp.',
    ),
    (
        '"Cho ta {object} {colour} của cháu," {helper} nói, "rồi ta sẽ giúp."',
        '"Ta giúp được," {helper} nói, "nhưng cháu phải đổi {object}."',
        '{Helper} nhìn {object} {colour}. "Ta vẫn ao ước có một {object}," {helper} nói.',
        "{Helper} vừa đói vừa rét. {Hero} biếu {helper} một {gift} và {object} {colour}.",
        '"Trước hết cháu hãy mang cho ta một {gift}," {helper} nói. {Hero} đi tìm và mang về một {gift}.',
    ),
    (
        "{Hero} nghĩ đến điều ước của mình, và {he} trao {object} đi.",
        "Tiếc lắm, nhưng {he} vốn {trait}, và {he} gật đầu.",
        '"Một {object} đổi lấy một điều ước, thế là phải ạ," {hero} nói.',
        "Hai bên bắt tay nhau, và {hero} ở lại với {helper} một năm.",
    ),
    (
        "{Helper} chỉ cho {he} cách {wish}, từng chút một.",
        '{Helper} thì thầm: "Nhắm mắt lại đi, {hero}." Khi {he} mở mắt ra, đã đến lúc {wish}.',
        "Ngày nào {he} cũng tập, và {helper} kiên trì chỉ bảo.",
        "{Helper} cầm tay {he} dắt đến tận nơi.",
    ),
    (
        "Và thế là {hero} đã có thể {wish}.",
        "Điều không ai tin đã thành sự thật: {hero} có thể {wish}!",
        '"Nhìn này, cháu {wish} được rồi!" {hero} reo lên, và {he} <glad> vô cùng.',
        "Ngày được {wish} đã đến, và {he} không hề run sợ.",
    ),
    (
        'Về đến nhà, {friend} hỏi: "{Object} {colour} đâu rồi, {hero}?" {He} chỉ mỉm cười.',
        "Khi {he} trở về, {friend} chạy ra đón, rồi cả hai cùng ăn một {gift}.",
        '{Helper} trả lại {object} {colour}. "Cháu sẽ cần đến, {hero} ạ," {helper} nói.',
        "Về sau {hero} còn dạy cho {friend} cách {wish} nữa.",
        "",
    ),
    "lesson", "farewell",
)

_RESCUE = (
    "opening", "trait", "treasure", "friend", "day",
    (
        'Bỗng {he} nghe có tiếng gọi: "Cứu với! Cứu với!"',
        "Rồi {hero} nghe thấy một giọng [yếu ớt|buồn bã|lạ lùng] <place>.",
        '"Nghe kìa, {hero}," {friend} nói. "Có ai đang khóc <place>."',
        "{He} đang nghĩ đến {object} của mình thì nghe có tiếng kêu.",
    ),
    (
        "{Helper} <manner> bị mắc kẹt trong <danger>.",
        "Ở đó {he} thấy {helper} <manner> không sao ra khỏi <danger>.",
        "Thì ra {helper} <manner> đang kẹt trong <danger>.",
        "Đó là {helper} <manner>, đang vùng vẫy trong <danger>.",
    ),
    (
        '"Cứu ta với, cháu ơi!" {helper} nói. "Ta kẹt ở đây từ hôm qua."',
        '{Helper} <sad>. "Chẳng ai nghe thấy ta cả," {helper} nói.',
        "{Hero} sợ lắm, nhưng {he} cũng rất {trait}.",
        '"Đừng đến đó, {hero}!" {friend} kêu lên. Nhưng {hero} {trait} vẫn tiến lại gần.',
        '"Đợi một chút, cháu đến ngay!" {hero} hét to.',
    ),
    (
        "Biết làm sao bây giờ? {He} chợt nghĩ đến {object} {colour}.",
        '{Friend} nghĩ ra một cách. "Dùng {object} của bạn đi, {hero}!" {friend} nói.',
        "{He} chẳng có gì trong tay ngoài {object} {colour}.",
        '"{Object} {colour} của tớ sẽ giúp được," {hero} nói.',
    ),
    (
        "{He} chìa {object} ra, {helper} nắm lấy, và {hero} kéo.",
        "{Hero} luồn {object} {colour} xuống dưới {helper} rồi kéo hết sức mình.",
        "Một tay cầm {object}, tay kia {he} nắm lấy {helper}.",
        "{Hero} và {friend} cùng nắm {object} {colour} mà kéo, một, hai, ba lần.",
    ),
    (
        "Ùm một tiếng, {helper} thoát ra được! Nhưng {object} {colour} đã [ướt hết|lấm bẩn|méo mó].",
        "Cuối cùng {helper} cũng thoát, nhưng {object} dính đầy bùn.",
        '{Helper} được cứu rồi. "Cảm ơn cháu, {hero}," {helper} nói.',
        "Được rồi! {Helper} nhảy ra và ôm lấy {hero}.",
    ),
    (
        '"Ôi, {object} đẹp thế kia!" {helper} tiếc. "Không sao đâu ạ," {hero} đáp.',
        "Tối đến, {friend} sửa lại {object}, và {object} {colour} lại đẹp như cũ.",
        "Hôm sau {helper} mang đến một {gift} cho {hero} và {friend}.",
        '"Ta tặng {hero} một {gift} và một {object} mới," {helper} nói, "cũng màu {colour} như cái cũ."',
        '{Helper} hỏi: "Cháu {hero} muốn gì nào?" "Chỉ một {gift} thôi ạ," {he} đáp.',
    ),
    "home", "lesson", "ending",
)

_TRADE = (
    "opening", "treasure", "trait", "friend", "day",
    (
        "{He} đói lắm, vì trong nhà chẳng còn gì ăn.",
        "Ở nhà, <giver> của {he} bị ốm và thèm một {gift}.",
        "{Friend} bị ốm, chỉ có một {gift} mới giúp được.",
        "{Hero} muốn {wish}, nhưng muốn thế thì {he} cần tiền.",
        "Mùa đông dài quá, {hero} và {friend} nhịn đói đã hai ngày.",
    ),
    (
        "Thế là {he} mang {object} {colour} ra chợ.",
        '"Tớ phải bán {object} thôi," {hero} nói, và {he} <sad>.',
        "{Hero} ngắm {object} {colour} thật lâu rồi {he} mang đi bán.",
        '"Đừng bán {object}!" {friend} can. Nhưng {hero} đã quyết rồi.',
    ),
    "meet",
    (
        '"{Object} {colour} này giá bao nhiêu?" {helper} hỏi.',
        '"Ta đổi cho cháu một {gift} lấy {object} nhé," {helper} nói.',
        '"Sao cháu lại bán {object} đẹp thế này?" {helper} hỏi.',
        '"Ta đi tìm một {object} {colour} suốt cả đời," {helper} nói.',
    ),
    (
        '"Chỉ một {gift} thôi ạ," {hero} nói, nước mắt chảy dài trên má.',
        "{Hero} kể hết cho {helper} nghe, chuyện {friend}, chuyện đói ăn.",
        '"Đây là quà của <giver> cháu," {he} nói, "nhưng cháu cần một {gift}."',
        '{He} không biết nói dối. "Cũ rồi ạ," {hero} nói, "nhưng cháu quý {object} này lắm."',
    ),
    (
        '{Helper} cảm động. "Giữ lấy {object}, {hero}, và cầm cả {gift} này nữa."',
        '{Helper} cười. "Cháu {hero} {trait} quá. {Gift} đây, còn {object} thì cháu giữ lấy."',
        "{Helper} nhận {object} {colour} và đưa cho {he} một {gift}.",
        "Thế là {hero} được {gift}, còn {helper} được {object} {colour}.",
    ),
    (
        "{Hero} cầm {gift} chạy một mạch về nhà.",
        "{Friend} thấy {he} mang {gift} về thì vỗ tay reo mừng.",
        "Về nhà, {he} chia {gift} cho {friend}.",
        "{Gift} to đến nỗi {hero}, {friend} và cả xóm ăn mãi mới hết.",
    ),
    (
        "Và sáng hôm sau, cái gì nằm trước cửa thế kia? {Object} {colour}!",
        "Một tuần sau, {helper} đến thăm {hero} và {friend}.",
        "Mùa xuân, {he} gặp lại {helper} <place>.",
        "",
    ),
    "lesson", "farewell",
)

VIETNAMESE = Language(
    code="vi",
    words=WORDS,
    roles=ROLES,
    cast=CAST,
    shared=SHARED,
    plots={"lost": _LOST, "found": _FOUND, "given": _GIVEN, "wish": _WISH, "rescue": _RESCUE, "trade": _TRADE},
    memory={
        "hero": "name", "friend": "friend", "he": "pronoun", "colour": "colour", "object": "object",
        "helper": "helper", "kind": "kind", "trait": "trait", "gift": "gift", "wish": "wish", "pal": "pal",
        "spot": "spot",
    },
    pronouns={
        "cậu": ("cậu", "cậu bé"), "cô bé": ("cô bé",), "chú": ("chú",), "cô": ("cô",), "nó": ("nó",), "bé": ("bé",),
    },
    flat=frozenset({"boy", "boy_end", "girl", "girl_end", "nick", "nick_end"}),
)
