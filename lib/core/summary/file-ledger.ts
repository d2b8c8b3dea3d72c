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
  return touchesOfTool(toolKind(name), input, Number.POSITIVE_INFINITY)
}

/** The first of these, without a search for the others; null: there is none. */
export function firstTouchOf({ name, input }: Pick<SourceCall, 'name' | 'input'>): Touch | null {
  return touchesOfTool(toolKind(name), input, 1)[0] ?? null
}

/** In order, and no more than `most` of them. */
function touchesOfTool(kind: ToolKind, input: JsonObject, most: number): Touch[] {
  if (kind === 'other') return []
  if (kind === 'shell') return commandTouches(commandOf(input), most)
  if (kind === 'patcher') return patchTouches(firstText(input, PATCH_FIELDS) ?? '', most)
  const path = firstText(input, PATH_FIELDS)
  if (path === undefined) return []
  // One tool with several commands.
  if (kind === 'edit' && input.command === 'view') return [{ path, how: 'read' }]
  return [{ path, how: kind === 'edit' && input.command === 'create' ? 'create' : kind }]
}

/** Whether a tool runs command lines, whose effects its arguments only hint at. */
export function isShell(name: string): boolean {
  return toolKind(name) === 'shell'
}

/** What tools do with files, as far as their names tell. */
export type ToolKind = 'read' | 'create' | 'edit' | 'delete' | 'patcher' | 'shell' | 'other'

/** Names of tools come from transcripts: there may be any number of them, but a session uses a few again and again. */
const MOST_NAMES = 500
const kinds = new Map<string, ToolKind>()

/** What a tool of this name does. */
export function toolKind(name: string): ToolKind {
  const known = kinds.get(name)
  if (known !== undefined) return known
  const kind = kindOf(name.toLowerCase().replace(/^(functions?|tools?|mcp__\w+?__|default_api)[.:]?/, ''))
  if (kinds.size >= MOST_NAMES) kinds.clear()
  kinds.set(name, kind)
  return kind
}

function kindOf(bareName: string): ToolKind {
  if (PATCHERS.has(bareName)) return 'patcher'
  if (SHELLS.has(bareName)) return 'shell'
  if (READERS.has(bareName)) return 'read'
  if (WRITERS.has(bareName)) return 'create'
  if (DELETERS.has(bareName)) return 'delete'
  return EDITORS.has(bareName) ? 'edit' : 'other'
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

const PATCH_FIELDS = ['input', 'patch', 'diff', 'patchText']
const PATCH_HEAD = /^\*\*\* (Add|Update|Delete) File: (.+)$/gm

function patchTouches(patch: string, most: number): Touch[] {
  const touches: Touch[] = []
  PATCH_HEAD.lastIndex = 0
  while (touches.length < most) {
    const head = PATCH_HEAD.exec(patch)
    if (head === null) break
    const [, what, path = ''] = head
    touches.push({
      path: path.trim(),
      how: what === 'Add' ? 'create' : what === 'Delete' ? 'delete' : 'edit',
    })
  }
  return touches
}

/** Redirections into files, and files that are removed. Longer commands are scripts; their first part tells enough. */
const MAX_COMMAND = 4_000
const REDIRECTION = /(?:^|[^0-9&<>])>{1,2}\s*(["']?)([\w@./~+-]{1,300})\1/g
const TEE = /\btee\s+(?:-a\s+)?(["']?)([\w@./~+-]{1,300})\1/g
/** What is written before a command that a shell is made to run: `bash -lc`. A part of patterns. */
export const SHELL_RUNS = String.raw`(?:\/(?:usr\/(?:local\/)?)?bin\/)?(?:ba|z|da|k|a)?sh\s+(?:-\w+\s+){0,4}-\w*c\s+`
/**
 * Also the first command that a shell is made to run, which another one may be made to run: `bash -lc "rm …"`. Between
 * lines nothing is passed over, so that thousands of empty ones are not walked through from each of them.
 */
const REMOVAL = new RegExp(
  String.raw`(?:^|[;&|\n][^\S\n]*)(?:${SHELL_RUNS}(?:\\*["']\s*)?){0,2}rm\s+((?:-\w+\s+)*)([\w@./~+-]{1,300})`,
  'g',
)

function commandTouches(command: string, most: number): Touch[] {
  const text = command.slice(0, MAX_COMMAND)
  const touches: Touch[] = []
  if (text.includes('>')) addFiles(text, REDIRECTION, 'create', touches, most)
  if (text.includes('tee')) addFiles(text, TEE, 'create', touches, most)
  if (text.includes('rm')) addFiles(text, REMOVAL, 'delete', touches, most)
  return touches
}

/** The files that a pattern finds, until there are `most` touches. */
function addFiles(text: string, pattern: RegExp, how: Touch['how'], touches: Touch[], most: number): void {
  pattern.lastIndex = 0
  while (touches.length < most) {
    const found = pattern.exec(text)
    if (found === null) return
    const [, , path = ''] = found
    if (isFile(path)) touches.push({ path, how })
  }
}

function isFile(path: string): boolean {
  return !path.startsWith('/dev/') && !path.startsWith('-') && /[A-Za-z0-9]/.test(path)
}
