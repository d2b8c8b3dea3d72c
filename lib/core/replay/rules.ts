import { sentencesOf } from '../summary/sentences'

/** Files that say how an agent is to work, by their names. */
const RULE_FILE = /(?:^|[/\\])(?:AGENTS|CLAUDE|SOUL|GEMINI|TOOLS|IDENTITY|USER|HEARTBEAT)(?:\.local)?\.md$/i
/** Words with which somebody sets a rule. */
const RULE_WORD =
  /\b(?:never|always|must(?:n't)?|do not|don't ever|under no circumstances|from now on|make sure|only ever)\b/i
/** Shorter ones are headings, longer ones are stories. Characters. */
const [LEAST_RULE, MOST_RULE] = [20, 300]
/** Share of its rare words with which a rule counts as said in other words. */
const KEPT_WORDS = 0.8
/** With fewer rare words it must be there word for word. */
const LEAST_WORDS = 3

/** Whether a file says how an agent is to work. */
export function isRuleFile(path: string): boolean {
  return RULE_FILE.test(path)
}

/**
 * The rules of a text: of a file of rules every sentence that tells to do something, of a user what sets a rule for
 * good. Text in code blocks is none.
 */
export function rulesIn(text: string, from: 'file' | 'user'): string[] {
  const rules: string[] = []
  for (const { text: sentence, question } of sentencesOf(text)) {
    if (question || sentence.length < LEAST_RULE || sentence.length > MOST_RULE) continue
    if (from === 'user' ? RULE_WORD.test(sentence) : rareWords(sentence).size >= LEAST_WORDS)
      rules.push(sentence)
  }
  return rules
}

/** A rule as it is found again: white space, case and marks make no difference. */
export function ruleKey(rule: string): string {
  return rule
    .toLowerCase()
    .replace(/[\s*_`#>-]+/g, ' ')
    .trim()
}

/** A text in which rules are looked for: in the form in which they are compared, and its words. */
export type RuledText = { readonly key: string; readonly words: ReadonlySet<string> }

export function ruledText(text: string): RuledText {
  return { key: ruleKey(text), words: wordSet(text) }
}

/** Whether a text holds a rule word for word, or at least four of five of its rare words. */
export function holdsRule({ key, words }: RuledText, rule: string): boolean {
  if (key.includes(ruleKey(rule))) return true
  const wanted = rareWords(rule)
  if (wanted.size < LEAST_WORDS) return false
  let held = 0
  for (const word of wanted) if (words.has(word)) held += 1
  return held >= KEPT_WORDS * wanted.size
}

function rareWords(text: string): Set<string> {
  return new Set([...wordSet(text)].filter((word) => word.length > 3 && !COMMON_WORDS.has(word)))
}

function wordSet(text: string): Set<string> {
  return new Set(text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [])
}

/** Words of more than three letters that say nothing of what a rule is about. */
const COMMON_WORDS: ReadonlySet<string> = new Set(
  (
    'about above after again also always another anything because been before being below between both cannot could does doing done ' +
    'down during each either else ever every everything file files first from further good have having here however into itself just keep ' +
    'like made make many more most much must need never next nothing once only other otherwise over please same should since some ' +
    'something still such sure take than that their them then there these they thing things this those through under until upon very ' +
    'want well were what when where whether which while will with within without would your yours yourself'
  ).split(' '),
)
