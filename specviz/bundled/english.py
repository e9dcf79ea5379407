"""The English stories: word lists, the cast, sentence patterns and plots (the slots are explained in grammar.py).

Three rules keep memory measurable. Only the hero is ever called he or she: the friend goes by name, the helper by
what it is. A colour or a word of the list `object` never describes anything but the story's own object. Names are
built of two parts, so that thousands are possible and a name has to be copied, not guessed.
"""

from specviz.bundled.grammar import Language

_START_PARTS = (
    "Ta Mi Lo Be Ro Ni Pe Da Sa Ko Wi Fe Ju Ma Ri To Ne Li Bo Ki Ha Zo Pa Vi Mo Se Du La Fi Je Ru Co Na Wa Gi Ya "
    "Bri Tra Klo Ste Flo Gre Pli Sno Dre Tul Mar Fin Hol Ber Nor Sil Wen Jas Kal Ors Ell Ari Uma Ivo"
)
_END_PARTS = (
    "lo ra min bo sha ken dri na vin mo la rik bel tu zi ric by nor wen sta fi do mel ka rin po sel ny go vo lin "
    "dan bin tam lu wyn zar ble cho dor"
)

WORDS: dict[str, tuple[str, ...]] = {
    "start": tuple(_START_PARTS.split()),
    "end": tuple(_END_PARTS.split()),
    "child": ("child", "pupil", "shepherd", "drummer", "tailor", "baker", "sailor", "gardener"),
    "animal": (
        "fox", "rabbit", "cat", "bear", "mouse", "squirrel", "puppy", "duck", "hedgehog", "otter", "lamb", "goat",
        "pony", "beaver", "mole", "badger", "piglet", "frog", "kitten", "deer", "hamster", "penguin", "raccoon", "calf",
    ),
    "helpful": (
        "owl", "turtle", "heron", "crow", "donkey", "snail", "fisherman", "miller", "stork", "toad", "spider", "goose",
        "ferryman", "whale", "swan", "postman", "beetle", "grandmother", "hermit", "camel", "woodpecker", "bee",
    ),
    "age": ("old", "wise old", "kind", "friendly", "sleepy", "very old", "strange", "lonely"),
    "trait": (
        "kind", "brave", "curious", "patient", "clever", "shy", "cheerful", "gentle", "loyal", "careful", "stubborn",
        "dreamy", "quiet", "generous", "polite", "playful", "hopeful", "thoughtful",
    ),
    "colour": (
        "red", "blue", "green", "yellow", "white", "golden", "purple", "silver", "pink", "orange", "brown", "black",
        "striped", "grey", "spotted", "violet",
    ),
    "object": (
        "kite", "ball", "scarf", "lantern", "drum", "hat", "bell", "basket", "boat", "key", "ribbon", "button",
        "umbrella", "whistle", "blanket", "cup", "feather", "flute", "mitten", "book", "box", "coat", "marble", "cart",
        "ring", "balloon", "purse", "pillow", "rope", "spoon", "mirror", "stone",
    ),
    "home": (
        "in a small village", "at the edge of a forest", "by a wide river", "on a windy hill", "near the sea",
        "in a quiet valley", "on a little island", "beside a lake", "in a tiny house", "behind the mountains",
        "in a sunny town", "at the end of a long road", "under an oak tree", "in a busy harbour", "near a mill",
    ),
    "place": (
        "by the river", "in the meadow", "under the bridge", "behind the barn", "near the well", "in the tall grass",
        "on the beach", "at the market", "beside the pond", "in the orchard", "behind the church", "on the hill",
        "under a pine tree", "by the waterfall", "among the reeds", "in a dark cave", "near the windmill",
        "between two rocks", "at the crossroads", "in the garden", "on the roof", "inside a hollow log",
    ),
    "gift": (
        "honey cake", "jar of jam", "apple pie", "bowl of soup", "bag of nuts", "sweet bun", "plum tart", "warm loaf",
        "ginger biscuit", "piece of cheese", "bunch of grapes", "pot of tea", "pear", "pancake", "carrot cake", "peach",
    ),
    "wish": (
        "see the sea", "learn to swim", "climb the highest mountain", "count all the stars", "sing for the whole town",
        "meet the moon", "sail to the far island", "learn to dance", "fly like a bird", "hear the oldest story",
        "cross the desert", "build a bridge", "win the great race", "learn to read", "catch the wind", "see the snow",
    ),
    "weather": (
        "the sun was shining", "it was raining softly", "a cold wind was blowing", "the sky was full of clouds",
        "snow was falling", "there was fog everywhere", "the air smelled of flowers", "it was very hot",
        "thunder rolled far away", "the birds were singing", "the leaves were falling",
        "a rainbow stood over the hills",
    ),
    "day": (
        "One morning", "One day", "One afternoon", "On a Sunday", "One Saturday", "Some days later", "One fine day",
        "On the first of May", "On market day", "The next day", "A week later", "One Monday",
    ),
    "giver": (
        "grandmother", "grandfather", "mother", "father", "uncle", "aunt", "teacher", "big sister", "big brother",
    ),
    "sad": ("sad", "worried", "upset", "afraid", "very sad", "close to tears"),
    "glad": ("happy", "glad", "proud", "full of joy", "delighted", "so happy", "grateful"),
    "lesson": (
        "a friend is worth more than gold", "asking for help is never silly", "small steps lead far",
        "patience opens every door", "kindness always comes back", "what is shared is never lost",
        "it is good to listen", "even the smallest can help", "a promise must be kept", "the truth is the best way",
    ),
    "danger": ("deep mud", "a thorn bush", "an old net", "a narrow hole", "a heap of stones", "a ditch", "thick ice"),
    "obstacle": (
        "the river was too wide", "the road was full of mud", "the bridge was broken", "the snow was too deep",
        "the wind was too strong", "the wall was too high", "the forest was too dark", "the path came to an end",
    ),
}

ROLES: tuple[dict[str, str], ...] = (
    {"kind": "<animal>", "he": "he", "his": "his", "him": "him", "himself": "himself"},
    {"kind": "<animal>", "he": "she", "his": "her", "him": "her", "himself": "herself"},
    {"kind": "girl", "he": "she", "his": "her", "him": "her", "himself": "herself"},
    {"kind": "boy", "he": "he", "his": "his", "him": "him", "himself": "himself"},
    {"kind": "<child>", "he": "she", "his": "her", "him": "her", "himself": "herself"},
    {"kind": "<child>", "he": "he", "his": "his", "him": "him", "himself": "himself"},
)

CAST: dict[str, str] = {
    "hero": "<start><end>",
    "friend": "<start><end>",
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
        "Once upon a time, <home>, there lived a [little|young|small] {kind} named {hero}.",
        "There was once a {kind} called {hero}, who lived <home>.",
        "Long ago, a [little|small|young] {kind} lived <home>. Everyone called {him} {hero}.",
        "Far away, <home>, lived a {kind}, and the name of this {kind} was {hero}.",
        "This is the story of {hero}, a [little|young|lonely] {kind} who lived <home>.",
        "Do you know {hero}, the {kind}? The two friends of this story, {hero} and {friend}, lived <home>.",
        "Many years ago there was a {kind} whose name was {hero}. {He} lived <home>.",
        "Not so long ago, <home>, a {kind} was born. {His} parents named {him} {hero}.",
    ),
    "trait": (
        "{He} was {trait}, "
        "[and everybody knew it|and {he} loved to laugh|but a little lonely|and {he} was never bored].",
        "{Hero} was a very {trait} {kind}, and {he} liked [to walk|to sing|to play|to draw|to sit] <place>.",
        "Nobody [far and wide|in the whole land|under the sun] was as {trait} as {hero}.",
        "{He} was small, but {he} was {trait}.",
        "People said that {he} was the most {trait} {kind} [they knew|of all|in the land].",
        "{His} <giver> often said: {hero} is {trait}, [and that is good|just like me|and will go far].",
    ),
    "friend": (
        "{His} best friend was a {pal} named {friend}.",
        "{He} had a good friend, {friend} the {pal}.",
        "Next door lived {friend}, a {pal}, and {hero} and {friend} [played together every day|shared everything].",
        "{Hero} often played with {friend}, a [fat|funny|cheerful|thin] {pal}.",
        "{His} only friend was {friend}, a {pal} with a [soft|loud|funny] voice.",
        "Every day {he} met a {pal} named {friend} <place>.",
    ),
    "treasure": (
        "{He} had a {colour} {object}, a present from {his} <giver>.",
        "What {he} loved most was {his} {colour} {object}.",
        "{His} <giver> had given {him} a {colour} {object}, and {hero} took it everywhere.",
        "{Hero} owned only one thing, a {colour} {object}.",
        "For {his} birthday {hero} had got a {colour} {object}, and {he} was very proud of it.",
        "{He} never left the house without {his} {colour} {object}.",
    ),
    "day": (
        "<day>, <weather>.",
        "<day>, when <weather>, {hero} went out with {friend}.",
        "<day>, {hero} looked out of the window. Outside, <weather>.",
        "<day>, {he} was playing <place>, and <weather>.",
        "<day>, <weather>, and {hero} [wanted to go out|could not sit still|went for a walk].",
        "",
    ),
    "ask": (
        '"Have you seen my {colour} {object}?" {he} asked. "[No|Sorry, no|Not today|I wish I had]," said {friend}.',
        '{He} asked {friend} first, but {friend} had not seen the {object}.',
        '"Please help me, {friend}!" {he} cried. "My {colour} {object} is gone!"',
        '{Friend} the {pal} wanted to help. "We will find your {object}, {hero}," said {friend}.',
        '"Do not cry, {hero}," said {friend}. "A {colour} {object} is easy to see."',
    ),
    "meet": (
        "Then, <place>, {hero} met a <age> {helper}.",
        "There {he} saw a <age> {helper} who was [resting|humming|sweeping leaves|looking at the sky|reading].",
        "On the way {he} met a <age> {helper}.",
        "After a while a <age> {helper} came by.",
        "A <age> {helper} had heard everything and came closer.",
    ),
    "thanks": (
        '"Thank you, {helper}!" said {hero}, and gave the {helper} a {gift}.',
        "{He} was so <glad> that {he} gave the {helper} a {gift}.",
        "To say thank you, {hero} brought the {helper} a {gift} the next morning.",
        '"You are the best {helper} in the world," said {hero}. The {helper} only smiled.',
        "{Hero} thanked the {helper} with all {his} heart. Together they ate a {gift}.",
        '"How can I thank you?" asked {hero}. "With a {gift}," laughed the {helper}. And a {gift} it was.',
    ),
    "home": (
        "In the evening {hero} and {friend} walked home, and {he} held the {colour} {object} tight.",
        "When {he} came home, {his} <giver> [hugged|kissed|was waiting for] {him}.",
        "That night {hero} put the {colour} {object} beside {his} bed.",
        "{Friend} was waiting at the door. \"You are back, {hero}!\" shouted {friend}.",
        "{Hero} told {friend} everything, and {friend} wanted to hear it again.",
        "From then on {he} always looked after {his} {object}.",
        "",
    ),
    "lesson": (
        "That day {hero} learned that <lesson>.",
        "And so the {trait} {kind} learned that <lesson>.",
        "{Hero} and {friend} never forgot that <lesson>.",
        '"Now I know that <lesson>," said {hero}.',
        "Since that day everyone in [the village|the town|the valley] says that <lesson>.",
        "",
    ),
    "ending": (
        "And {hero}, the {trait} {kind}, slept well that night.",
        "{Hero}, {friend} and the {helper} stayed friends for ever.",
        "And if you go there today, you may still see {hero} with the {colour} {object}.",
        "And {he} lived happily ever after with {his} {colour} {object}.",
        "{Hero} smiled, {friend} laughed, and that is the end of the story.",
        "The {colour} {object} is still there, and so is {hero}, as {trait} as ever.",
        "{He} was the happiest {kind} in the world.",
    ),
    "farewell": (
        "And {hero}, the {trait} {kind}, slept well that night.",
        "{Hero}, {friend} and the {helper} stayed friends for ever.",
        "{Hero} still thinks of the {colour} {object} sometimes, and then {he} smiles.",
        "{Hero} smiled, {friend} laughed, and that is the end of the story.",
        "To this day people tell of {hero}, the {trait} {kind}, and of the {colour} {object}.",
        "{He} was the happiest {kind} in the world.",
    ),
}

_LOST = (
    "opening", "trait", "treasure", "friend", "day",
    (
        "But when {he} came home, the {colour} {object} was gone.",
        "Suddenly a gust of wind took the {colour} {object} and carried it away.",
        "{He} put the {object} down for a moment, and then it was gone.",
        "{Hero} ran so fast that {he} lost the {colour} {object}.",
        "But the {object} fell into the water, and the water carried it away.",
        "When {he} woke up from a nap, {he} could not find the {colour} {object}.",
    ),
    (
        "{Hero} was <sad>.",
        "{He} looked everywhere, <place> and <place>, but the {object} was not there.",
        "{He} sat down and cried.",
        '"Where is my {object}?" {he} whispered. {Hero} was <sad>.',
        "{He} searched <place>, but {he} found only [leaves|dust|an empty shell|a sleeping cricket].",
    ),
    "ask", "meet",
    (
        '"Why are you crying, little {kind}?" asked the {helper}. "My {object} is gone," said {hero}.',
        '"What is your name?" asked the {helper}. "My name is {hero}," said the {kind}.',
        '"You look <sad>," said the {helper}. "I have lost my {colour} {object}," said {hero}.',
        '"Are you looking for something?" asked the {helper}. "Yes, a {colour} {object}," said {hero}.',
    ),
    (
        '"I saw a {colour} {object} <spot=place>," said the {helper}.',
        'The {helper} thought for a long time. "Look <spot=place>," said the {helper}.',
        'The {helper} pointed with one finger. "Something {colour} is lying <spot=place>."',
        '"A {object}? There is one <spot=place>," said the {helper}, "and it is {colour}."',
        'The {helper} nodded. "Walk on, {hero}, and look <spot=place>."',
    ),
    (
        "{Hero} ran there at once, and really, {spot} lay the {colour} {object}!",
        "And there it was! {Spot} {he} found {his} {colour} {object}.",
        "{Hero} and {friend} went there together. {Friend} saw the {object} first.",
        "It was not easy, but {spot} {hero} found {his} {object} at last.",
        "The {helper} went with {him}, and {spot} they found the {colour} {object}, [wet|dusty|safe] and [whole|fine].",
    ),
    "thanks", "home", "lesson", "ending",
)

_FOUND = (
    "opening", "trait", "friend", "day",
    (
        "There, <place>, {he} found a {colour} {object}.",
        "{Hero} saw something {colour} in the grass. It was a {object}.",
        "{He} nearly fell over a {colour} {object} that lay on the road.",
        '"Look, {friend}!" {he} cried. Before {him} lay a {colour} {object}.',
        "A {colour} {object} was hanging in a tree, and {hero} climbed up to get it.",
    ),
    (
        '"Whose {object} is this?" {he} asked.',
        "How beautiful the {object} was! But it was not {his} own.",
        '"Keep it, {hero}!" said {friend}. But {hero} shook {his} head.',
        "{Hero} wanted to keep the {colour} {object}, for {he} had never had one.",
        "\"Somebody is missing this {object},\" thought {hero}.",
    ),
    (
        '{He} asked {friend}. "It is not mine," said {friend}. "My {object} is not {colour}."',
        "{Hero} and {friend} went from door to door with the {object}, but nobody knew it.",
        "{He} asked the [baker|teacher|smith|doctor], but nobody had lost a {colour} {object}.",
        "{Friend} the {pal} did not know either, but {friend} had an idea: they would ask <place>.",
        "All day long {he} carried the {colour} {object} through the streets.",
    ),
    "meet",
    (
        "The {helper} was <sad>, because the {helper} had lost a {object}.",
        '"Oh, my {object}!" cried the {helper}. "I lost it <place>."',
        '"I have lost my {object}," said the {helper}. "What colour is it?" asked {hero}. "It is {colour}."',
        'The {helper} looked at the {colour} {object} and [began to cry|began to laugh|could not speak] for joy.',
    ),
    (
        '"Then this {colour} {object} is yours," said {hero}, and {he} gave it back.',
        "{Hero} gave the {object} back at once.",
        "{He} did not think twice. {He} put the {colour} {object} into the arms of the {helper}.",
        '"Here you are," said {hero}. It was hard to give the {object} away, but {he} was {trait}.',
    ),
    (
        '"You are a {trait} {kind}, {hero}," said the {helper}. "Please take this {gift}."',
        'The {helper} was so <glad> that {hero} got a {gift}. {He} shared the {gift} with {friend}.',
        '"What is your name?" asked the {helper}. "I am {hero}," said the {kind}. "Thank you, {hero}!"',
        "The {helper} invited {hero} and {friend} to eat a {gift}.",
        '"Keep the {object}, {hero}," said the {helper}. "I give it to you, because you are {trait}."',
    ),
    "lesson", "farewell",
)

_GIVEN = (
    "opening", "trait", "friend",
    (
        "It was the birthday of {friend}, and {hero} had made a {colour} {object} as a present.",
        "{Friend} was ill in bed, so {hero} wanted to bring {friend} a {colour} {object}.",
        "{Friend} had always wanted a {colour} {object}. So {hero} saved all {his} coins and bought one.",
        "{Hero} had promised {friend} a {colour} {object}, and {he} worked on it for seven days.",
        '{His} <giver> gave {him} a {colour} {object} and said: "Take the {object} to {friend}."',
    ),
    (
        "<day>, {he} set out with the {object} under {his} arm, and <weather>.",
        "{He} wrapped the {object} in paper and went on {his} way.",
        "<day>, {hero} took the {colour} {object} and went to see {friend}.",
        "The house of {friend} stood <place>, and it was a long way.",
    ),
    (
        "But <obstacle>, and {he} could not go on.",
        "Halfway there {he} stopped, because <obstacle>.",
        "{Hero} walked and walked, but <obstacle>. {He} was <sad>.",
        '"Oh no," said {hero}, for <obstacle>.',
        "Then {he} fell into <danger>, and the {object} fell in too.",
    ),
    "meet",
    (
        '"Where are you going with that {colour} {object}?" asked the {helper}.',
        '"Who is the {object} for?" asked the {helper}. "It is for {friend}, my friend," said {hero}.',
        '"What a beautiful {object}!" said the {helper}. "Is it for me?" "No, it is for {friend}," said {hero}.',
        '"Can I help you, little {kind}?" asked the {helper}. "I must bring this {object} to {friend}," {he} said.',
    ),
    (
        '"Climb on my back, {hero}," said the {helper}, and so {he} got across.',
        "The {helper} knew another way, and {hero} followed, with the {colour} {object} in {his} arms.",
        "The {helper} pulled and {hero} pushed, until the way was free.",
        "The {helper} carried the {object}, and {hero} held on tight.",
        '"I will show you a secret path," said the {helper}. {Hero} [followed|nodded|took heart].',
    ),
    (
        "At last {he} knocked on the door of {friend}.",
        "Soon {he} saw the house of {friend} <place>.",
        "When the moon rose, {hero} stood before the house of {friend}.",
        "{Friend} opened the door and could not believe it.",
    ),
    (
        '"For me? A {colour} {object}?" cried {friend}. "Thank you, {hero}!"',
        "{Friend} took the {colour} {object} and danced with it through the room.",
        'When {friend} saw the {object}, {friend} hugged {hero} for a long time.',
        '"It is the most beautiful {object} in the world," said {friend}, and {hero} was <glad>.',
        "{Friend} put the {colour} {object} in the window, so that everyone could see it.",
    ),
    (
        "Then {hero}, {friend} and the {helper} ate a {gift} together.",
        "{Friend} had baked a {gift}, and {hero} ate until {he} was full.",
        '"Wait, {hero}," said {friend}. "I have a {gift} for you and the {helper}."',
        "{He} did not forget the {helper} either, and brought the {helper} a {gift}.",
        "",
    ),
    "lesson", "farewell",
)

_WISH = (
    "opening", "trait", "friend",
    (
        "{Hero} had only one wish: {he} wanted to {wish}.",
        "Every night {he} dreamed the same dream. {He} wanted to {wish}.",
        '"One day I will {wish}," {he} told {friend}.',
        "More than anything else {hero} wanted to {wish}.",
        "{He} looked out of the window and wished {he} could {wish}.",
    ),
    (
        '"You are too small to {wish}," said {friend}.',
        "But everyone laughed at {him}. \"A {kind} cannot {wish}!\" they said.",
        '"That is not easy," said {his} <giver>, "but you are {trait}."',
        "But {he} did not know how to {wish}, and that made {him} <sad>.",
        '{Friend} did not laugh. "If you want to {wish}, {hero}, I will go with you," said {friend}.',
    ),
    (
        "So {he} packed {his} {colour} {object} and went off into the world.",
        "<day>, {he} took {his} {colour} {object} and said goodbye to {friend}.",
        "{Friend} gave {him} a {colour} {object} for the long way.",
        "{He} took nothing with {him} but a {colour} {object}.",
    ),
    (
        "{He} walked for three days and slept <place>.",
        "The way was long, and <weather>.",
        "{Hero} walked [through the forest|over the fields|along the coast], and <weather>. {He} was not afraid.",
        "But soon <obstacle>, and {he} had to rest.",
        "",
    ),
    "meet",
    (
        '"Where are you going, little {kind}?" asked the {helper}. "I want to {wish}," said {hero}.',
        '"What do you wish for?" asked the {helper}. "To {wish}," {he} answered.',
        '"Nobody comes here without a wish," said the {helper}. "I want to {wish}," said {hero}.',
    ),
    (
        '"Give me your {colour} {object}," said the {helper}, "and I will help you."',
        '"I can help you," said the {helper}, "but it costs a {object}."',
        'The {helper} looked at the {colour} {object}. "I always wanted a {object}," said the {helper}.',
        'The {helper} was cold and hungry. {Hero} gave the {helper} a {gift} and the {colour} {object}.',
        '"First you must bring me a {gift}," said the {helper}. {Hero} went and found a {gift}.',
    ),
    (
        "{Hero} thought of {his} wish, and {he} gave the {object} away.",
        "It was hard, but {he} was {trait}, and {he} said yes.",
        '"A {object} for a wish, that is fair," said {hero}.',
        "They shook hands, and {hero} stayed with the {helper} for a year.",
    ),
    (
        "The {helper} showed {him} how to {wish}, step by step.",
        'Then the {helper} whispered: "Close your eyes, {hero}." '
        "And when {he} opened them, the time had come to {wish}.",
        "Day after day {he} practised, and the {helper} was patient.",
        "The {helper} took {him} by the hand and led {him} there.",
    ),
    (
        "And so {hero} could {wish} at last.",
        "What nobody had believed came true: {hero} could {wish}!",
        '"Look at me, I can {wish}!" cried {hero}, and {he} was <glad>.',
        "The day came to {wish}, and {he} did it without any fear.",
    ),
    (
        'Back home {friend} asked: "Where is your {colour} {object}, {hero}?" {He} only smiled.',
        "When {he} came home, {friend} ran to meet {him}, and they ate a {gift}.",
        "The {helper} gave the {colour} {object} back. \"You will need it, {hero},\" said the {helper}.",
        "And later {hero} taught {friend} to {wish} too.",
        "",
    ),
    "lesson", "farewell",
)

_RESCUE = (
    "opening", "trait", "treasure", "friend", "day",
    (
        "Suddenly {he} heard somebody calling: \"Help! Help!\"",
        "Then {hero} heard a [soft|sad|strange] voice <place>.",
        '"Listen, {hero}," said {friend}. "Somebody is crying <place>."',
        "{He} was just thinking of {his} {object} when {he} heard a cry.",
    ),
    (
        "A <age> {helper} was stuck in <danger>.",
        "There {he} saw a <age> {helper} who could not get out of <danger>.",
        "A <age> {helper} had fallen into <danger>.",
        "It was a <age> {helper}, caught in <danger>.",
    ),
    (
        '"Please help me, little {kind}!" said the {helper}. "I have been here since yesterday."',
        'The {helper} was <sad>. "Nobody hears me," said the {helper}.',
        "{Hero} was afraid, but {he} was also {trait}.",
        '"Do not go there, {hero}!" cried {friend}. But {hero} was {trait} and went closer.',
        '"Wait, I am coming!" shouted {hero}.',
    ),
    (
        "What could {he} do? Then {he} thought of {his} {colour} {object}.",
        'Then {friend} had an idea. "Use your {object}, {hero}!" said {friend}.',
        "{He} had nothing with {him} but the {colour} {object}.",
        '"My {colour} {object} will help," said {hero}.',
    ),
    (
        "{He} held out the {object}, the {helper} took hold of it, and {hero} pulled.",
        "{Hero} pushed the {colour} {object} under the {helper} and pulled as hard as {he} could.",
        "With the {object} in one hand, {he} reached out to the {helper} with the other.",
        "{Hero} and {friend} pulled together at the {colour} {object}, once, twice, three times.",
    ),
    (
        "With a loud plop the {helper} was free! But the {colour} {object} was [wet|dirty|bent].",
        "At last the {helper} was free, but the {object} was full of mud.",
        'The {helper} was free. "Thank you, {hero}," said the {helper}.',
        "It worked! The {helper} jumped out and hugged {hero}.",
    ),
    (
        '"Your beautiful {object}!" said the {helper}. "Never mind," said {hero}.',
        "{Friend} mended the {object} in the evening, and it was as {colour} as before.",
        'The next day the {helper} came with a {gift} for {hero} and {friend}.',
        '"I will give you a {gift} and a new {object}, {hero}," said the {helper}, "as {colour} as the old one."',
        'The {helper} asked: "What do you want, {hero}?" "Only a {gift}," {he} said.',
    ),
    "home", "lesson", "ending",
)

_TRADE = (
    "opening", "treasure", "trait", "friend", "day",
    (
        "{He} was very hungry, for there was nothing left to eat.",
        "{His} <giver> was ill and needed a {gift}.",
        "{Friend} was ill, and only a {gift} could help.",
        "{Hero} wanted to {wish}, but for that {he} needed money.",
        "The winter had been long, and {hero} and {friend} had not eaten for two days.",
    ),
    (
        "So {he} took the {colour} {object} to the market.",
        '"I must sell my {object}," said {hero}, and {he} was <sad>.',
        "{Hero} looked at {his} {colour} {object} for a long time, and then {he} went off to sell it.",
        '"Do not sell your {object}!" said {friend}. But {hero} had made up {his} mind.',
    ),
    "meet",
    (
        '"What does the {colour} {object} cost?" asked the {helper}.',
        '"I will give you a {gift} for your {object}," said the {helper}.',
        '"Why do you want to sell such a fine {object}, little {kind}?" asked the {helper}.',
        '"I have looked for a {colour} {object} all my life," said the {helper}.',
    ),
    (
        '"Only a {gift}," said {hero}, and tears ran down {his} face.',
        "{Hero} told the {helper} everything, about {friend} and about the hunger.",
        '"It is a present from my <giver>," {he} said, "but I need a {gift}."',
        '{He} could not lie. "It is old," said {hero}, "but I love this {object}."',
    ),
    (
        'The {helper} was moved. "Keep your {object}, {hero}, and take the {gift} too."',
        'The {helper} laughed. "You are {trait}, {hero}. Here is a {gift}, and here is your {object}."',
        "The {helper} took the {colour} {object} and gave {him} a {gift}.",
        "So the {gift} went to {hero}, and the {colour} {object} went to the {helper}.",
    ),
    (
        "{Hero} ran home with the {gift}.",
        "{Friend} saw {him} come with the {gift} and clapped for joy.",
        "At home {he} shared the {gift} with {friend}.",
        "The {gift} was so big that {hero}, {friend} and all the neighbours had enough.",
    ),
    (
        "And what stood at the door the next morning? The {colour} {object}!",
        "A week later the {helper} came to visit {hero} and {friend}.",
        "In spring {he} saw the {helper} again <place>.",
        "",
    ),
    "lesson", "farewell",
)

ENGLISH = Language(
    code="en",
    words=WORDS,
    roles=ROLES,
    cast=CAST,
    shared=SHARED,
    plots={"lost": _LOST, "found": _FOUND, "given": _GIVEN, "wish": _WISH, "rescue": _RESCUE, "trade": _TRADE},
    memory={
        "hero": "name", "friend": "friend", "he": "pronoun", "his": "pronoun", "him": "pronoun", "himself": "pronoun",
        "colour": "colour", "object": "object", "helper": "helper", "kind": "kind", "trait": "trait", "gift": "gift",
        "wish": "wish", "pal": "pal", "spot": "spot",
    },
    pronouns={"he": ("he", "his", "him", "himself"), "she": ("she", "her", "herself")},
    flat=frozenset({"start", "end"}),
)
