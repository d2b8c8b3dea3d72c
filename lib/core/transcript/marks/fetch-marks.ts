import { commandOf, firstTouchOf, isShell } from '../../summary/file-ledger'
import { callIdOf, callInputOf, callNameOf } from '../blocks'
import { isObject, type JsonObject, jsonText, stringOf } from '../json'
import { type FetchMark, fingerprintOf } from './text-marks'

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

/** Commands that only read, and what is no part of them: another folder, a limit of the output. */
const READS = /^(?:cat|sed -n|head|tail|nl|less|rg|grep|ls|find|tree|wc)\b/
const BEFORE = /^\s*cd\s+[^\s;&|]+\s*(?:&&|;)\s*/
const CHANGES = /[>;&\n]|\bxargs\b|\btee\b|-exec\b|-delete\b|\$\(|`/
const QUOTES = /["']/g
/** What commands that write files have in them. */
const MAY_WRITE = />|\btee\b|\brm\b|\*\*\* /
/** After a pipe: only what shortens the output. */
const AFTER_PIPE = /^\s*(?:head|tail|wc|sort|uniq|grep|rg|sed -n|nl|cat)\b/

/** Folders of runtimes, whose rules they send themselves. */
const RUNTIME_FOLDER = /(?:^|\/)\.(?:claude|codex|pi|openclaw|clawdbot|gemini|config)(?:\/|$)/
const RULES_FILE = /^(?:AGENTS|CLAUDE|GEMINI|CONVENTIONS)(?:\.local)?\.md$/
const HOSTS_FILE =
  /(?:^|\/)(?:AGENTS|CLAUDE|GEMINI|SOUL|TOOLS|IDENTITY|USER|HEARTBEAT|BOOTSTRAP|MEMORY|SKILL)(?:\.local)?\.md$|(?:^|\/)memory\/[^/]*\.md$/

/** What a call block fetches or changes; null: nothing that could be fetched again, or that is not known. */
export function fetchMark(block: JsonObject): FetchMark | null {
  const callId = callIdOf(block)
  if (callId === undefined) return null
  const name = callNameOf(block)
  const input = inputOf(block)
  if (input === null) return null
  if (isShell(name)) return ofCommand(callId, commandOf(input), name, input)
  const touch = firstTouchOf({ name, input })
  if (touch === null) return ofSearch(callId, name, input)
  const { path, how } = touch
  if (how !== 'read') return changeOf(callId, path)
  return readOf(callId, path, partOf(input))
}

/** What of a file is read, as it is written; '': all of it, as most calls do. */
function partOf(input: JsonObject): string {
  let part = ''
  for (const name of PARTS) {
    const value = input[name]
    if (value !== undefined) part += `${part === '' ? '' : ' '}${name}=${jsonText(value)}`
  }
  return part
}

/** Arguments are an object, or its JSON. */
function inputOf(block: JsonObject): JsonObject | null {
  const input = callInputOf(block)
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

function ofSearch(callId: string, name: string, input: JsonObject): FetchMark | null {
  if (!SEARCHES.test(name.toLowerCase())) return null
  const subject = SUBJECTS.map((field) => stringOf(input[field])).find((value) => value !== undefined)
  const named = subject === undefined ? 0 : fingerprintOf(lastPart(subject))
  return { callId, does: 'read', key: fingerprintOf(`${name} ${sortedJson(input)}`), name: named, path: 0 }
}

function ofCommand(callId: string, command: string, name: string, input: JsonObject): FetchMark | null {
  if (command === '' || command.length > MOST_COMMAND) return null
  const plain = plainOf(command)
  const isRead = READS.test(plain) && !CHANGES.test(plain)
  const [first = '', ...rest] = isRead ? plain.split('|') : []
  if (!isRead || !rest.every((part) => AFTER_PIPE.test(part))) {
    if (!MAY_WRITE.test(plain)) return null
    const written = firstTouchOf({ name, input })
    return written === null ? null : changeOf(callId, written.path)
  }
  const written = first.trim().split(/\s+/)
  const isQuoted = first.includes('"') || first.includes("'")
  const words = isQuoted ? written.map((word) => word.replaceAll(QUOTES, '')) : written
  const file = words.findLast((word) => !word.startsWith('-')) ?? ''
  const isSearch = words[0] === 'rg' || words[0] === 'grep'
  const subject = isSearch ? (words.slice(1).find((word) => !word.startsWith('-')) ?? '') : file
  const key = fingerprintOf(`$ ${plain.replaceAll(/\s+/g, ' ')}`)
  if (isSearch || words[0] === 'ls' || words[0] === 'find' || words[0] === 'tree')
    return { callId, does: 'read', key, name: fingerprintOf(lastPart(subject)), path: 0 }
  const isWhole = words[0] === 'cat' && words.length === 2 && rest.length === 0
  return { ...readOf(callId, file, isWhole ? '' : 'part'), key }
}

/** The command itself. Most are written as such: what cannot be a shell's or begin elsewhere is not examined for it. */
function plainOf(command: string): string {
  const inner = command.includes('sh ') ? unwrapped(command) : command
  return (inner.includes('cd ') ? inner.replace(BEFORE, '') : inner).trim()
}

/** What a shell is made to run: `bash -lc '…'`. */
function unwrapped(command: string): string {
  const [, inner] = /^(?:\/bin\/)?(?:ba|z)?sh\s+-l?c\s+(.*)$/s.exec(command.trim()) ?? []
  if (inner === undefined) return command
  const quote = inner[0]
  return (quote === '"' || quote === "'") && inner.endsWith(quote) ? inner.slice(1, -1) : inner
}

function readOf(callId: string, written: string, part: string): FetchMark {
  const path = written.replace(/^\.\//, '')
  const name = lastPart(path)
  const folder = path.slice(0, Math.max(0, path.length - name.length - 1))
  // Most files are none that runtimes or rules are in.
  const isNote = name.endsWith('.md')
  const isRules = isNote && RULES_FILE.test(name) && folder !== '' && !RUNTIME_FOLDER.test(folder)
  return {
    callId,
    does: 'read',
    key: fingerprintOf(`read ${path} ${part}`),
    name: fingerprintOf(name),
    path: part === '' ? fingerprintOf(path) : 0,
    ...(isNote && HOSTS_FILE.test(path) && { isHosts: true as const }),
    ...(isRules && { rulesIn: fingerprintOf(folder) }),
  }
}

function changeOf(callId: string, path: string): FetchMark {
  return { callId, does: 'write', key: 0, name: fingerprintOf(lastPart(path)), path: 0 }
}

function lastPart(path: string): string {
  const plain = path.endsWith('/') ? path.slice(0, -1) : path
  return plain.slice(plain.lastIndexOf('/') + 1)
}

/** The same for the same arguments, whatever their order. */
function sortedJson(input: JsonObject): string {
  return JSON.stringify(Object.entries(input).sort(([a], [b]) => (a < b ? -1 : 1)))
}
