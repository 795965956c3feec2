// Rules for comments and test names, numbered as in CONTRIBUTING.md ("English").

const bannedOpening = /^(who|what|whether|whatever|whoever|that of|those of|those that|how (many|much|long|often))\b/i;
const bannedWords =
  /\b(one's|oneself|nobody|meanwhile|by (it|them)sel(f|ves)|for good|so many|again and again|on (its|the) way|in its place|the one before|takes? along)\b/i;

/** Returns a message for every comment and test name that breaks a rule. */
export function findUnclearEnglish(path: string, text: string): string[] {
  return [...commentsIn(text), ...testNamesIn(text)].flatMap((sentence) => {
    const opening = bannedOpening.exec(sentence)?.[0];
    const words = bannedWords.exec(sentence)?.[0];
    return [
      ...(opening
        ? [`${path}: "${shorten(sentence)}" opens with "${opening}"; name the thing (English, rule 3).`]
        : []),
      ...(words ? [`${path}: "${shorten(sentence)}" says "${words}"; say it plainly (English, rule 5).`] : []),
    ];
  });
}

/** Returns the comments that fill whole lines; consecutive `//` lines are one comment. */
function commentsIn(text: string): string[] {
  const lineComments = [...text.matchAll(/(?:^[ \t]*\/\/ ?.*\n?)+/gm)].map(([comment]) => comment.replaceAll("//", ""));
  const blockComments = [...text.matchAll(/^[ \t]*\{?\/\*\*?([\s\S]*?)\*\//gm)].map(([, comment]) => comment!);
  return [...lineComments, ...blockComments].map((comment) =>
    comment
      .replaceAll(/^\s*\*/gm, " ")
      .replaceAll(/\s+/g, " ")
      .trim(),
  );
}

/**
 * Returns the names of tests and of their `describe`, including names after a table of rows, as in
 * `test.each([…])(name)`.
 */
function testNamesIn(text: string): string[] {
  const calls =
    /(?:\b(?:test|describe)(?:\.\w+)*(?:\([^()"`]*\))?|^\s*\]\)?(?: as const)?\)+)\(\s*(["`])((?:(?!\1)[^\\]|\\.)+)\1/gm;
  return [...text.matchAll(calls)].map((match) => match[2]!);
}

function shorten(sentence: string): string {
  return sentence.length > 60 ? `${sentence.slice(0, 60)}…` : sentence;
}
