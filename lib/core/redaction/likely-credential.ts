/** What a name promises: a password can be any word, everything else is made by a machine. */
export type CredentialKind = 'password' | 'key'

/** How surely a value is one: a text in quotes, all of a setting, a word that a blank ends, or what may be code. */
export type Writing = 'quoted' | 'setting' | 'word' | 'bare'

/** Variables, calls, templates and fillers that are where a credential would. */
const REFERENCE =
  /^(?:\$(?:[A-Za-z_]\w*$|[{([])|%[A-Za-z_]\w*%?$|[{<[(]|[*•.…x_#?-]+$|\*{3}|\.{3}|…|•{2}|process\.env|os\.environ|env[:.]|secretref|import\.meta)/i

/** Words of examples, of types, and of the names of other credentials. */
const EXAMPLE_WORDS = new Set(
  (
    'a accepted again always an and any anyone anything api apikey app array as auth authenticated ' +
    'authentication authorization bar base based basic baz be bearer before between blank bool boolean ' +
    'both budget but by bytes cache cached can change changed changeme characters check checked client ' +
    'code column completion config const context cookie cookies correct cost count counts create ' +
    'credential credentials current database db default demo disabled dummy empty enabled encrypted ' +
    'encryption enter env environ environment error every everyone everything example expired expires ' +
    'failed fake false field fields file foo for forgot forgotten found from function generate generated ' +
    'get given handler has hash hashed hashing header here hidden http https id if in incorrect input ' +
    'insert int integer invalid is it its key keys leave left length less like limit limits line lines ' +
    'list load local manager mandatory masked match matches matching max maximum me min minimum mismatch ' +
    'missing more most must my name needed never new next nil no nobody none not nothing now null num ' +
    'number object of old on only option optional or os output param parse pass passcode passphrase ' +
    'passwd password passwords per placeholder plain please policy prefix private process prompt ' +
    'protected protection provided provider public put pwd random read reasoning redacted ref refresh ' +
    'rejected removed replace request required reset result root same sample secret secrets see sent ' +
    'session set settings sha should so some stored str strength string strong suffix supported symbol ' +
    'test testing text than that the their them then there these they this to todo token tokens total ' +
    'true type unchanged undefined unique unknown until update url usage use used user username users ' +
    'valid value values variable verify via void was were what when where whether which while who whose ' +
    'will window with without write wrong xxx xxxx xxxxx yes you your zero'
  ).split(' '),
)

/** Words that are said, but not chosen for a password. */
const PROSE =
  /(?<![A-Za-z])(?:the|your|my|a|an|of|for|to|is|are|was|must|should|can|will|enter|password|passwords|please|with|and|or|user|users|not|used|when|that|this|from|be|by|it|if|at|on|in|we|you)(?![A-Za-z])/i

const WORDS = /[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g

/** A word with at least so many letters may alone be a password. */
const SHORTEST_WORD = 6

const SHORTEST_KEY = 12

/**
 * Whether what is assigned to a name like `password` or `apiKey` looks like a credential rather than like code, an
 * example or prose. Bare values are mostly code: of them only such with letters and digits mixed are taken.
 */
export function isLikelyCredential(kind: CredentialKind, value: string, writing: Writing): boolean {
  if (value.length < 4 || REFERENCE.test(value) || isExample(value)) return false
  const hasSpace = /\s/.test(value)
  if (hasSpace && (kind === 'key' || value.length > 64 || PROSE.test(value))) return false
  const hasDigit = /\d/.test(value)
  const hasLetter = /[A-Za-z]/.test(value)
  if (kind === 'password') return isPassword(value, writing, hasDigit && hasLetter)
  if (value.length < SHORTEST_KEY || !hasLetter) return false
  if (writing !== 'quoted' && isCode(value)) return false
  return hasDigit || (value.length >= 20 && isRandomCase(value))
}

/** The same for the beginning of a value, of which a preview shows no more: nothing is known of its length. */
export function isLikelyBeginning(value: string): boolean {
  if (REFERENCE.test(value) || isExample(value) || isCode(value) || /\s/.test(value)) return false
  return /[A-Za-z]/.test(value) && (/\d/.test(value) || isRandomCase(value))
}

function isPassword(value: string, writing: Writing, isMixed: boolean): boolean {
  if (writing === 'quoted') return value.length >= SHORTEST_WORD
  if (isCode(value)) return false
  if (isMixed) return value.length >= SHORTEST_WORD || writing === 'setting'
  if (writing === 'bare' || (writing === 'word' && !/^[A-Za-z]+$/.test(value))) return false
  // A type or a class is written with one capital at the beginning.
  return value.length >= SHORTEST_WORD && /[A-Za-z]/.test(value) && !/^(?:[A-Z][a-z]+)+$/.test(value)
}

/** Only words of examples, and numbers as they are counted: `your-api-key-1`. */
function isExample(value: string): boolean {
  if (value.length > 60 || /\d{3}/.test(value)) return false
  const words = value.match(WORDS)
  if (words === null) return false
  const digits = value.replace(/\D/g, '').length
  return digits <= 1 && words.every((word) => EXAMPLE_WORDS.has(word.toLowerCase()))
}

/** Capitals in the middle of it more often than words have them. */
function isRandomCase(value: string): boolean {
  const changes = value.match(/[a-z][A-Z]|[A-Z]{2}[a-z]|[A-Z][a-z][A-Z]/g)?.length ?? 0
  return changes * 6 >= value.length
}

/** `config.apiKey2`, `Float64Array`, `http://…`, `path/to/it`, `A::b`; base64 of some length may begin like a path. */
function isCode(value: string): boolean {
  if (/:\/\/|::|->|^(?:[A-Z][a-z]{2,}\d{0,3})+$|^[A-Za-z_][\w-]*(?:\.[A-Za-z_]\w*)+$/.test(value)) return true
  return /^(?:\.{0,2}|[a-z][a-z_-]*)\//.test(value) && !(value.length >= 30 && isRandomCase(value))
}
