/** Words before a declaration: who may see it, how it is kept. */
const MODIFIERS =
  '(?:(?:export|default|declare|abstract|pub(?:\\([a-z]+\\))?|public|private|protected|internal|static|final|async|unsafe|open|override|sealed|inline) +)*'
/** Words behind which a name is made. */
const MAKERS = '(?:const|let|var|val|def|class|struct|enum|trait|interface|namespace|function|func|fn|fun)'
/** A declaration at the beginning of a line; elsewhere, as in what `grep` looks for, it is only named. */
const MAKES = new RegExp(
  `^[-+ \\t]*${MODIFIERS}${MAKERS}\\s+(?:mut +)?(?:\\([^()\\n]{0,80}\\) *)?\\*?([A-Za-z_$][\\w$]{5,})`,
  'gm',
)
/** A variable that is set at the beginning of a line: `num_harmonics = `, `emptyRow := `, `total_size: int = `. */
const SETS = /^[-+ \t]*([A-Za-z_$][\w$]{5,})(?: ?: ?[\w[\], .|]{1,40})? :?= /gm
/** What a function that is declared at the beginning of a line calls its parameters. */
const TAKES = new RegExp(
  `^[-+ \\t]*${MODIFIERS}(?:def|function|func|fn|fun)\\s+(?:\\([^()\\n]{0,80}\\) *)?\\w+ *\\(([^()\\n]{1,300})`,
  'gm',
)
const PARAMETER = /(?:^|, *)(?:mut +|\*{1,2})?([A-Za-z_$][\w$]{5,})(?= *[:,=]| +[\w*[\].]|$)/g
/** What a patch takes away or leaves as it was is no making. */
const PATCH = /^\*\*\* (?:Update|Begin)/m

/**
 * Names that a text makes: whoever declares a name may choose it, so that no earlier text is needed for it. A name that
 * is declared twice in an edit, in its old and its new text, was there before. Linear in the length.
 * @param isEdit the text has an old and a new one
 */
export function namesDeclaredIn(text: string, isEdit: boolean): ReadonlySet<string> {
  const isPatch = PATCH.test(text)
  const made = new Map<string, Set<number>>()
  const note = (name: string, at: number) => {
    if (isPatch && !isAdded(text, at)) {
      // It is in the file that is changed.
      made.set(name, new Set([-1, at]))
      return
    }
    const places = made.get(name)
    if (places === undefined) made.set(name, new Set([at]))
    else places.add(at)
  }
  for (const pattern of [MAKES, SETS])
    for (const found of text.matchAll(pattern)) {
      const name = found[1] ?? ''
      note(name, found.index + found[0].lastIndexOf(name))
    }
  for (const found of text.matchAll(TAKES)) {
    const taken = found[1] ?? ''
    for (const { index, 1: name = '' } of taken.matchAll(PARAMETER))
      note(name, found.index + found[0].length - taken.length + index)
  }
  return new Set(
    [...made].flatMap(([name, places]) => (places.size === 1 || !(isEdit || places.has(-1)) ? [name] : [])),
  )
}

/** Whether the line at a place is one that a patch adds. */
function isAdded(text: string, at: number): boolean {
  return text.charAt(text.lastIndexOf('\n', at) + 1) === '+'
}
