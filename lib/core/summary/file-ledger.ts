import type { JsonObject } from '../transcript/json'
import { stringOf } from '../transcript/json'
import type { SourceCall, SourceMessage } from './source-message'

/** What became of a file in a stretch of a session, as far as tool calls tell. */
export type FileRecord = {
  readonly path: string
  created: boolean
  edits: number
  reads: number
  deleted: boolean
  /** Position of the message that touched it last. */
  last: number
}

/** What a call does to a file, as far as its arguments tell. */
export type Touch = { readonly path: string; readonly how: 'read' | 'create' | 'edit' | 'delete' }

const PATH_FIELDS = ['path', 'file_path', 'filePath', 'file', 'filename', 'notebook_path', 'target_file']
const READERS = new Set(['read', 'read_file', 'readfile', 'view', 'cat', 'open_file', 'notebookread'])
const WRITERS = new Set([
  'write',
  'write_file',
  'writefile',
  'create',
  'create_file',
  'file_write',
  'save_file',
])
const EDITORS = new Set([
  'edit',
  'edit_file',
  'multiedit',
  'multi_edit',
  'str_replace',
  'str_replace_editor',
  'str_replace_based_edit_tool',
  'insert',
  'notebookedit',
  'search_replace',
])
const DELETERS = new Set(['delete', 'delete_file', 'remove_file', 'unlink'])
const PATCHERS = new Set(['apply_patch', 'applypatch', 'patch'])
const SHELLS = new Set([
  'bash',
  'exec',
  'shell',
  'run',
  'terminal',
  'process',
  'local_shell',
  'exec_command',
  // Of Codex, by release.
  'shell_command',
  'container.exec',
  'run_command',
])

/**
 * The files that a stretch of a session read, wrote and removed, by path in order of first touch. A call whose result
 * is an error, or that never got one, has done nothing.
 */
export function fileLedger(messages: readonly SourceMessage[]): Map<string, FileRecord> {
  const failed = failedCalls(messages)
  const files = new Map<string, FileRecord>()
  for (let at = 0; at < messages.length; at++) {
    const message = messages[at] as SourceMessage
    if (message.calls.length === 0 || (message.role === 'toolResult' && message.isError)) continue
    for (const call of message.calls) {
      if (call.id !== '' && failed.has(call.id)) continue
      for (const touch of touchesOf(call)) note(files, touch, at)
    }
  }
  return files
}

/** Paths of files that were changed and still exist, and of those that were only read; each in order of name. */
export function filesByUse(files: ReadonlyMap<string, FileRecord>): {
  readonly modified: string[]
  readonly read: string[]
} {
  const all = [...files.values()]
  const isModified = (file: FileRecord) => file.created || file.edits > 0 || file.deleted
  return {
    modified: all
      .filter(isModified)
      .map((file) => file.path)
      .sort(),
    read: all
      .filter((file) => !isModified(file))
      .map((file) => file.path)
      .sort(),
  }
}

/** Ids of calls that failed, or that were still without a result at the end. */
function failedCalls(messages: readonly SourceMessage[]): Set<string> {
  const open = new Set<string>()
  for (let at = 0; at < messages.length; at++) {
    const message = messages[at] as SourceMessage
    if (message.role === 'assistant' && message.calls.length > 0)
      for (const call of message.calls) if (!isAnsweredRightBehind(messages, at, call.id)) open.add(call.id)
    if (open.size > 0 && message.role === 'toolResult' && message.resultFor !== undefined && !message.isError)
      open.delete(message.resultFor)
  }
  return open
}

/** Nearly every call is, and need not be remembered. */
function isAnsweredRightBehind(messages: readonly SourceMessage[], at: number, id: string): boolean {
  for (let i = at + 1; i <= at + RIGHT_BEHIND; i++) {
    const message = messages[i]
    if (message?.role !== 'toolResult') return false
    if (message.resultFor === id && !message.isError) return true
  }
  return false
}

/** So many results behind a call are looked at. */
const RIGHT_BEHIND = 8

function note(files: Map<string, FileRecord>, { path, how }: Touch, at: number): void {
  const known = files.get(path)
  const record = known ?? { path, created: false, edits: 0, reads: 0, deleted: false, last: at }
  if (known === undefined) files.set(path, record)
  record.last = at
  if (how === 'read') record.reads += 1
  else if (how === 'delete') record.deleted = true
  else {
    record.deleted = false
    // Writing a file that was seen before changes it; else it is new as far as we can tell.
    if (how === 'create' && known === undefined) record.created = true
    else record.edits += 1
  }
}

/** Files that a call reads, writes or removes; commands of shells show redirections and removals only. */
export function touchesOf({ name, input }: Pick<SourceCall, 'name' | 'input'>): Touch[] {
  const tool = bareName(name)
  if (PATCHERS.has(tool)) return [...patchOf(input).matchAll(PATCH_HEAD)].map(patchTouch)
  if (SHELLS.has(tool)) return commandTouches(commandOf(input))
  const path = firstText(input, PATH_FIELDS)
  if (path === undefined) return []
  if (READERS.has(tool)) return [{ path, how: 'read' }]
  if (WRITERS.has(tool)) return [{ path, how: 'create' }]
  if (DELETERS.has(tool)) return [{ path, how: 'delete' }]
  if (!EDITORS.has(tool)) return []
  // One tool with several commands.
  if (input.command === 'view') return [{ path, how: 'read' }]
  return [{ path, how: input.command === 'create' ? 'create' : 'edit' }]
}

/** The first of these, without a search for the others; null: there is none. */
export function firstTouchOf(call: Pick<SourceCall, 'name' | 'input'>): Touch | null {
  const tool = bareName(call.name)
  if (PATCHERS.has(tool)) {
    PATCH_HEAD.lastIndex = 0
    const head = PATCH_HEAD.exec(patchOf(call.input))
    return head === null ? null : patchTouch(head)
  }
  return (SHELLS.has(tool) ? firstCommandTouch(commandOf(call.input)) : touchesOf(call)[0]) ?? null
}

/** Whether a tool runs command lines, whose effects its arguments only hint at. */
export function isShell(name: string): boolean {
  return SHELLS.has(bareName(name))
}

/** Names of tools come from transcripts: there may be any number of them, but a session uses a few again and again. */
const MOST_NAMES = 500
const bareNames = new Map<string, string>()

function bareName(name: string): string {
  const known = bareNames.get(name)
  if (known !== undefined) return known
  const bare = name.toLowerCase().replace(/^(functions?|tools?|mcp__\w+?__|default_api)[.:]?/, '')
  if (bareNames.size >= MOST_NAMES) bareNames.clear()
  bareNames.set(name, bare)
  return bare
}

function firstText(input: JsonObject, fields: readonly string[]): string | undefined {
  for (let at = 0; at < fields.length; at++) {
    const value = stringOf(input[fields[at] as string])
    if (value !== undefined) return value
  }
  return undefined
}

/** The command line of a shell call, which some tools take as a list of words. */
export function commandOf(input: JsonObject): string {
  const command = input.command ?? input.cmd ?? input.script ?? input.input
  if (typeof command === 'string') return command
  return Array.isArray(command) ? command.filter((word) => typeof word === 'string').join(' ') : ''
}

const PATCH_HEAD = /^\*\*\* (Add|Update|Delete) File: (.+)$/gm

function patchOf(input: JsonObject): string {
  return firstText(input, ['input', 'patch', 'diff', 'patchText']) ?? ''
}

function patchTouch([, what, path = '']: RegExpExecArray): Touch {
  return { path: path.trim(), how: what === 'Add' ? 'create' : what === 'Delete' ? 'delete' : 'edit' }
}

/** Redirections into files, and files that are removed. Longer commands are scripts; their first part tells enough. */
const MAX_COMMAND = 4_000
const REDIRECTION = /(?:^|[^0-9&<>])>{1,2}\s*(["']?)([\w@./~+-]{1,300})\1/g
const TEE = /\btee\s+(?:-a\s+)?(["']?)([\w@./~+-]{1,300})\1/g
const REMOVAL = /(?:^|[;&|\n]\s*)rm\s+((?:-\w+\s+)*)([\w@./~+-]{1,300})/g

function commandTouches(command: string): Touch[] {
  const text = command.slice(0, MAX_COMMAND)
  const written = [...text.matchAll(REDIRECTION), ...text.matchAll(TEE)].map(([, , path = '']) => path)
  const removed = [...text.matchAll(REMOVAL)].map(([, , path = '']) => path)
  return [
    ...written.filter(isFile).map((path): Touch => ({ path, how: 'create' })),
    ...removed.filter(isFile).map((path): Touch => ({ path, how: 'delete' })),
  ]
}

/** What `commandTouches` finds first. */
function firstCommandTouch(command: string): Touch | null {
  const text = command.slice(0, MAX_COMMAND)
  const written =
    (text.includes('>') ? firstFile(REDIRECTION, text) : null) ??
    (text.includes('tee') ? firstFile(TEE, text) : null)
  if (written !== null) return { path: written, how: 'create' }
  const removed = text.includes('rm') ? firstFile(REMOVAL, text) : null
  return removed === null ? null : { path: removed, how: 'delete' }
}

function firstFile(pattern: RegExp, text: string): string | null {
  pattern.lastIndex = 0
  for (let found = pattern.exec(text); found !== null; found = pattern.exec(text)) {
    const [, , path = ''] = found
    if (!isFile(path)) continue
    // Whatever is matched with the pattern next would begin where this search has ended.
    pattern.lastIndex = 0
    return path
  }
  return null
}

function isFile(path: string): boolean {
  return !path.startsWith('/dev/') && !path.startsWith('-') && /[A-Za-z0-9]/.test(path)
}
