//! The phrases by which people hand over the word, one table a language, one column for each family of reference B.8. A
//! language that lacks a family does not compile.

/// How the phrases of a language are looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Boundary {
    /// They begin and end at a word's edge.
    Words,
    /// The language writes without spaces.
    Anywhere,
}

/// Phrases, in lower case, with the straight apostrophe.
type Phrases = &'static [&'static str];

/// The phrases of one language.
pub(super) struct Language {
    pub(super) boundary: Boundary,
    /// "I need your input".
    pub(super) needs_input: Phrases,
    /// "Which option".
    pub(super) which: Phrases,
    /// "Shall I".
    pub(super) shall_i: Phrases,
    /// "Please confirm".
    pub(super) confirm: Phrases,
    /// "Let me know".
    pub(super) tell_me: Phrases,
    /// "Do you want".
    pub(super) want: Phrases,
    /// "Would you like".
    pub(super) like: Phrases,
    /// "Please clarify".
    pub(super) clarify: Phrases,
    /// "Waiting for your".
    pub(super) waiting: Phrases,
    /// How a question ends in a language that needs no mark for one.
    pub(super) endings: Phrases,
}

impl Language {
    /// All families but the endings.
    pub(super) fn families(&self) -> [Phrases; 9] {
        [
            self.needs_input,
            self.which,
            self.shall_i,
            self.confirm,
            self.tell_me,
            self.want,
            self.like,
            self.clarify,
            self.waiting,
        ]
    }
}

pub(super) const LANGUAGES: [Language; 6] = [ENGLISH, CHINESE, JAPANESE, SPANISH, FRENCH, GERMAN];

const ENGLISH: Language = Language {
    boundary: Boundary::Words,
    needs_input: &["need your input", "need some input", "need your decision"],
    which: &["which option", "which one"],
    shall_i: &["should i", "shall i"],
    confirm: &["please confirm", "could you confirm", "can you confirm"],
    tell_me: &["let me know"],
    want: &["do you want"],
    like: &["would you like"],
    clarify: &["please clarify", "can you clarify", "could you clarify"],
    waiting: &["waiting for your"],
    endings: &[],
};

const CHINESE: Language = Language {
    boundary: Boundary::Anywhere,
    needs_input: &["需要您的", "需要你的"],
    which: &["哪个选项", "哪个方案", "请选择"],
    shall_i: &["要不要我", "是否需要"],
    confirm: &["请确认"],
    tell_me: &["请告诉我", "请告知"],
    want: &["您想要", "你想要"],
    like: &["您希望", "你希望"],
    clarify: &["请说明", "请澄清"],
    waiting: &["等待您的", "等待你的"],
    endings: &["吗", "么样"],
};

const JAPANESE: Language = Language {
    boundary: Boundary::Anywhere,
    needs_input: &["ご意見を", "ご指示を", "ご判断を"],
    which: &["どのオプション", "選択してください", "お選びください"],
    shall_i: &["よろしいでしょうか"],
    confirm: &["ご確認ください", "確認してください"],
    tell_me: &["お知らせください", "教えてください"],
    want: &["ご希望です"],
    like: &["いかがでしょうか", "いかがですか"],
    clarify: &["ご説明ください", "明確にしてください"],
    waiting: &["お待ちしています", "お待ちしております"],
    endings: &["ますか", "ですか", "でしょうか", "ましょうか"],
};

const SPANISH: Language = Language {
    boundary: Boundary::Words,
    needs_input: &["necesito tu", "necesito su"],
    which: &["qué opción", "cuál prefieres", "cuál prefiere"],
    shall_i: &["debo continuar", "debo proceder"],
    confirm: &[
        "por favor confirma",
        "por favor, confirma",
        "por favor confirme",
        "por favor, confirme",
        "puedes confirmar",
    ],
    tell_me: &["avísame", "avíseme", "házmelo saber", "dime si", "dime qué"],
    want: &["quieres que", "quiere que"],
    like: &["desea que", "te gustaría", "le gustaría"],
    clarify: &["por favor aclara", "por favor, aclara", "puedes aclarar"],
    waiting: &["espero tu", "esperando tu", "a la espera de tu"],
    endings: &[],
};

const FRENCH: Language = Language {
    boundary: Boundary::Words,
    needs_input: &["j'ai besoin de votre", "j'ai besoin de ton", "j'ai besoin de ta"],
    which: &["quelle option", "laquelle préférez-vous", "lequel préférez-vous"],
    shall_i: &["dois-je"],
    confirm: &["veuillez confirmer", "merci de confirmer", "pouvez-vous confirmer", "peux-tu confirmer"],
    tell_me: &["dites-moi", "dis-moi", "faites-moi savoir"],
    want: &["voulez-vous", "veux-tu"],
    like: &["souhaitez-vous", "aimeriez-vous", "aimerais-tu"],
    clarify: &["veuillez préciser", "merci de préciser", "pouvez-vous préciser"],
    waiting: &["j'attends votre", "j'attends ton", "j'attends ta", "en attente de votre"],
    endings: &[],
};

const GERMAN: Language = Language {
    boundary: Boundary::Words,
    needs_input: &["ich brauche deine", "ich brauche ihre", "ich benötige deine", "ich benötige ihre"],
    which: &["welche option", "welche variante"],
    shall_i: &["soll ich"],
    confirm: &["bitte bestätige", "bitte bestätigen"],
    tell_me: &["sag mir", "sagen sie mir", "lass mich wissen", "lassen sie mich wissen", "gib mir bescheid"],
    want: &["willst du", "wollen sie"],
    like: &["möchtest du", "möchten sie", "hättest du gern", "hätten sie gern"],
    clarify: &["bitte präzisiere", "bitte präzisieren", "bitte kläre", "bitte klären"],
    waiting: &["ich warte auf deine", "ich warte auf ihre", "warte auf deine", "warte auf ihre"],
    endings: &[],
};
