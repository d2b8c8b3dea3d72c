import { commandOf, firstTouchOf, SHELL_RUNS, toolKind } from '../../summary/file-ledger'
import { isObject, type JsonObject, jsonText, stringOf } from '../json'
import { CHANGES, commandSigns, ODD_SPACE, PIPE, QUOTE } from './command-signs'
import { type FetchMark, fingerprintOf, fingerprintWith } from './text-marks'

/** Arguments that make a call read a part of a file. */
const PARTS = [
  'offset',
  'limit',
  'view_range',
  'start_line',
  'end_line',
  'line_start',
  'line_end',
  'pages',
  'range',
]
/** Tools that search or list, by their names in lower case, and what they search for. */
const SEARCHES =
  /^(?:grep|glob|ls|list|list_dir|list_files|find|search|grep_search|file_search|codebase_search|web_?search|web_?fetch|fetch|fetch_url)$/
const SUBJECTS = ['pattern', 'query', 'url', 'glob', 'path']
/** Longer command lines are scripts. UTF-16 units. */
const MOST_COMMAND = 600

/** Commands that only read, the letters that they begin with, and what is no part of them: another folder. */
const READS = /^(?:cat|sed -n|head|tail|nl|less|rg|grep|ls|find|tree|wc)\b/
const MAY_READ = lettersOf('cshtnlrgfw')
const BEFORE = /^\s*cd\s+[^\s;&|]+\s*(?:&&|;)\s*/
const QUOTES = /["']/g
/** What commands that write files have in them. */
const MAY_WRITE = />|\btee\b|\brm\b/
/** After a pipe: only what shortens the output. */
const AFTER_PIPE = /^\s*(?:head|tail|wc|sort|uniq|grep|rg|sed -n|nl|cat)\b/

/** Folders of runtimes, whose rules they send themselves. */
const RUNTIME_FOLDER = /(?:^|\/)\.(?:claude|codex|pi|openclaw|clawdbot|gemini|config)(?:\/|$)/
const RULES_FILE = /^(?:AGENTS|CLAUDE|GEMINI|CONVENTIONS)(?:\.local)?\.md$/
const HOSTS_FILE =
  /(?:^|\/)(?:AGENTS|CLAUDE|GEMINI|SOUL|TOOLS|IDENTITY|USER|HEARTBEAT|BOOTSTRAP|MEMORY|SKILL)(?:\.local)?\.md$|(?:^|\/)memory\/[^/]*\.md$/

const NO_NAME = /^\.{0,2}$/

/** What keys of fetches begin with, each as a fingerprint that goes on. */
const [COMMAND, READ] = [fingerprintOf('$ '), fingerprintOf('read ')]

/**
 * What a call fetches or changes; null: nothing that could be fetched again, or that is not known.
 * @param written its arguments: an object, or a text
 */
export function fetchMark(callId: string, name: string, written: unknown): FetchMark | null {
  const kind = toolKind(name)
  if (kind === 'other' && !isSearch(name)) return null
  const input = inputOf(written)
  if (input === null) return null
  if (kind === 'shell') return ofCommand(callId, commandOf(input), name, input)
  if (kind === 'other') return ofSearch(callId, name, input)
  const touch = firstTouchOf({ name, input })
  if (touch === null) return null
  const { path, how } = touch
  if (how !== 'read') return changeOf(callId, path)
  const part = partOf(input)
  return readOf(callId, path, part, keyOfRead(path, part))
}

/** Names of tools that are no other ones, each whether it searches; see `toolKind`. */
const MOST_NAMES = 500
const searches = new Map<string, boolean>()

function isSearch(name: string): boolean {
  const known = searches.get(name)
  if (known !== undefined) return known
  const is = SEARCHES.test(name.toLowerCase())
  if (searches.size >= MOST_NAMES) searches.clear()
  searches.set(name, is)
  return is
}

/** What of a file is read, as it is written; '': all of it, as most calls do. */
function partOf(input: JsonObject): string {
  // The path alone.
  if (Object.keys(input).length < 2) return ''
  let part = ''
  for (const name of PARTS) {
    const value = input[name]
    if (value !== undefined) part += `${part === '' ? '' : ' '}${name}=${jsonText(value)}`
  }
  return part
}

/** Arguments are an object, or its JSON. */
function inputOf(input: unknown): JsonObject | null {
  if (isObject(input)) return input
  if (typeof input !== 'string') return null
  // Of a patch only what it names counts, whatever its size.
  if (!input.startsWith('{')) return { input }
  try {
    const value: unknown = JSON.parse(input)
    return isObject(value) ? value : null
  } catch {
    return null
  }
}

function ofSearch(callId: string, name: string, input: JsonObject): FetchMark {
  let named = 0
  for (const field of SUBJECTS) {
    const subject = stringOf(input[field])
    if (subject === undefined) continue
    named = nameOf(subject)
    break
  }
  const key = fingerprintWith(fingerprintWith(fingerprintOf(name), ' '), sortedJson(input))
  return markOf(callId, 'read', key, named)
}

function ofCommand(callId: string, command: string, name: string, input: JsonObject): FetchMark | null {
  if (command === '' || command.length > MOST_COMMAND) return null
  const plain = plainOf(command)
  const signs = commandSigns(plain)
  const isRead = (signs & CHANGES) === 0 && MAY_READ[plain.charCodeAt(0)] === 1 && READS.test(plain)
  const isPiped = isRead && (signs & PIPE) !== 0
  const [first = '', ...rest] = isPiped ? plain.split('|') : [plain]
  if (!isRead || (isPiped && !rest.every((part) => AFTER_PIPE.test(part)))) {
    if (!mayWrite(plain, signs)) return null
    const written = firstTouchOf({ name, input })
    return written === null ? null : changeOf(callId, written.path)
  }
  const hasOddSpace = (signs & ODD_SPACE) !== 0
  const written = hasOddSpace ? first.trim().split(/\s+/) : first.trim().split(' ')
  const isQuoted = (signs & QUOTE) !== 0
  const words = isQuoted ? written.map((word) => word.replaceAll(QUOTES, '')) : written
  const key = fingerprintWith(COMMAND, hasOddSpace ? plain.replaceAll(/\s+/g, ' ') : plain)
  const [tool] = words
  if (tool === 'rg' || tool === 'grep') return markOf(callId, 'read', key, nameOf(firstNoFlag(words)))
  const file = lastNoFlag(words)
  if (tool === 'ls' || tool === 'find' || tool === 'tree') return markOf(callId, 'read', key, nameOf(file))
  const isWhole = tool === 'cat' && words.length === 2 && !isPiped
  return readOf(callId, file, isWhole ? '' : 'part', key)
}

/** Whether `MAY_WRITE` finds something. */
function mayWrite(plain: string, signs: number): boolean {
  return ((signs & CHANGES) !== 0 || plain.includes('rm')) && MAY_WRITE.test(plain)
}

/** The first word behind the command that is no flag; '': there is none. */
function firstNoFlag(words: readonly string[]): string {
  for (let i = 1; i < words.length; i++) {
    const word = words[i] as string
    if (!word.startsWith('-')) return word
  }
  return ''
}

/** The last word of a command that is no flag, which may be the command. */
function lastNoFlag(words: readonly string[]): string {
  for (let i = words.length - 1; i >= 0; i--) {
    const word = words[i] as string
    if (!word.startsWith('-')) return word
  }
  return ''
}

/** The command itself. Most are written as such: what cannot be a shell's or begin elsewhere is not examined for it. */
function plainOf(command: string): string {
  // A shell may be made to run another one; more of them are not written.
  const inner = command.includes('sh ') ? unwrapped(unwrapped(command)) : command
  return (inner.includes('cd ') ? inner.replace(BEFORE, '') : inner).trim()
}

const SHELL = new RegExp(`^${SHELL_RUNS}(.*)`, 's')

/** What a shell is made to run: `bash -lc '…'`. */
function unwrapped(command: string): string {
  const [, inner] = SHELL.exec(command.trim()) ?? []
  if (inner === undefined) return command
  const quote = inner[0]
  if ((quote !== '"' && quote !== "'") || !inner.endsWith(quote)) return inner
  const quoted = inner.slice(1, -1)
  return quote === '"' ? quoted.replaceAll('\\"', '"') : quoted
}

/** The same for the same part of the same file. */
function keyOfRead(written: string, part: string): number {
  return fingerprintWith(fingerprintWith(fingerprintWith(READ, plainPath(written)), ' '), part)
}

function readOf(callId: string, written: string, part: string, key: number): FetchMark {
  const path = plainPath(written)
  const name = lastPart(path)
  const mark = markOf(callId, 'read', key, fingerprintOf(name), part === '' ? fingerprintOf(path) : 0)
  // Most files are none that runtimes or rules are in.
  if (!name.endsWith('.md')) return mark
  const folder = path.slice(0, Math.max(0, path.length - name.length - 1))
  if (HOSTS_FILE.test(path)) mark.isHosts = true
  if (RULES_FILE.test(name) && folder !== '' && !RUNTIME_FOLDER.test(folder))
    mark.rulesIn = fingerprintOf(folder)
  return mark
}

function changeOf(callId: string, path: string): FetchMark {
  return markOf(callId, 'write', 0, fingerprintOf(lastPart(path)))
}

/** All of one shape. */
function markOf(
  callId: string,
  does: FetchMark['does'],
  key: number,
  name: number,
  path = 0,
): { -readonly [Field in keyof FetchMark]: FetchMark[Field] } {
  return { callId, does, key, name, path, isHosts: undefined, rulesIn: undefined }
}

function plainPath(written: string): string {
  return written.startsWith('./') ? written.slice(2) : written
}

function lastPart(path: string): string {
  const plain = path.endsWith('/') ? path.slice(0, -1) : path
  return plain.slice(plain.lastIndexOf('/') + 1)
}

/** Of a name without its folders, or of what is searched for; 0: `/`, `.` and `..` are no name. */
function nameOf(written: string): number {
  const name = lastPart(written)
  return NO_NAME.test(name) ? 0 : fingerprintOf(name)
}

/** The same for the same arguments, whatever their order. */
function sortedJson(input: JsonObject): string {
  const fields = Object.entries(input)
  return JSON.stringify(fields.length > 1 ? fields.sort(([a], [b]) => (a < b ? -1 : 1)) : fields)
}

/** By code, a one for each of these letters. */
function lettersOf(letters: string): Uint8Array {
  const table = new Uint8Array(128)
  for (const letter of letters) table[letter.charCodeAt(0)] = 1
  return table
}
