import { isRule, sentencesOf } from '../summary/sentences'

/** Files that say how an agent is to work, by their names. */
const RULE_FILE = /(?:^|[/\\])(?:AGENTS|CLAUDE|SOUL|GEMINI|TOOLS|IDENTITY|USER|HEARTBEAT)(?:\.local)?\.md$/i
/** Words with which somebody sets a rule. */
const RULE_WORD =
  /\b(?:never|always|must(?:n't)?|do not|don't ever|under no circumstances|from now on|only ever)\b/i
/** What somebody tells of, in the words of a rule: `it never works`, `that must be a bug`. */
const TOLD =
  /\b(?:it|this|that|which|there|he|she|they) (?:(?:just|still|almost|also|is|was|has|had) )?(?:never|always)\b|\bi (?:\w+ )?(?:never|always) (?!want|need|prefer|like|expect)|\bmust have (?:been|\w+ed)\b|\bmust be (?:an?|some|something|because|due|wrong|broken|missing)\b|\bshould never happen\b/i
/** What is to be done at the beginning is over with it. */
const AT_BEGINNING =
  /\bfirst (?:user )?message\b|\bat the (?:start|beginning) of (?:an?|the|each|every|your) (?:session|conversation)\b/i
/** Shorter ones are headings, longer ones are stories. Characters. */
const [LEAST_RULE, MOST_RULE] = [20, 300]
/** What a text may set: one with more of them is a document. */
const MOST_RULES = 60
/** What a client adds to the words of its user. */
const ASIDES = ['system-reminder', 'environment_context', 'user_instructions']
/** Share of its rare words with which a rule counts as said in other words. */
const KEPT_WORDS = 0.8
/** With fewer rare words it must be there word for word. */
const LEAST_WORDS = 3

/** Whether a file says how an agent is to work. */
export function isRuleFile(path: string): boolean {
  return RULE_FILE.test(path)
}

/** A message of a user that is longer and has headings says how one task is to be done. Characters, headings. */
const [LONG_TASK, TASK_HEADINGS] = [2_000, 2]

/**
 * Whether a message of a user is the prompt of a command or another document: its rules are for the task that it gives,
 * and are over with it.
 */
export function isTaskPrompt(text: string): boolean {
  return text.length >= LONG_TASK && (text.match(/^#{1,6} \S/gm)?.length ?? 0) >= TASK_HEADINGS
}

/**
 * The rules of a text: of a file of rules every sentence that forbids, demands or prefers something, of a user what says
 * never, always or must. Text in code blocks is none.
 */
export function rulesIn(text: string, from: 'file' | 'user'): string[] {
  const rules: string[] = []
  for (const { text: sentence, question } of sentencesOf(
    withoutAsides(from === 'file' ? withoutNumbers(text) : text),
  )) {
    if (rules.length === MOST_RULES) break
    if (question || sentence.length < LEAST_RULE || sentence.length > MOST_RULE) continue
    // What ends in a colon only announces what follows.
    if (sentence.endsWith(':') || AT_BEGINNING.test(sentence)) continue
    if (from === 'user' && TOLD.test(sentence)) continue
    if (from === 'user' ? RULE_WORD.test(sentence) : isRule({ text: sentence, question }))
      rules.push(sentence)
  }
  return rules
}

/** A file as it is, where a tool has numbered its lines. */
function withoutNumbers(text: string): string {
  return text.replace(/^ {0,8}\d{1,6}(?:→|\t|: |\| )/gm, '')
}

/** An answer of a server that was pasted. */
const PASTED = /\{"\w+":[^\n]*/g

function withoutAsides(text: string): string {
  let left = text.replace(PASTED, '')
  for (const tag of ASIDES) {
    const [open, close] = [`<${tag}>`, `</${tag}>`]
    const parts: string[] = []
    let at = 0
    for (let from = left.indexOf(open); from >= 0; from = left.indexOf(open, at)) {
      const to = left.indexOf(close, from)
      if (to < 0) break
      parts.push(left.slice(at, from))
      at = to + close.length
    }
    if (at > 0) left = parts.join('') + left.slice(at)
  }
  return left
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
