import { blockKind, callIdOf, callInputOf, callNameOf } from '../transcript/blocks'
import type { ToolCallRef } from '../transcript/entry'
import { isObject, type JsonObject } from '../transcript/json'
import { hasCheckpoint } from '../transcript/reading/read-checkpoint'
import type { FindingClass } from './finding'
import type { JsonEdit } from './json-edit'
import { sharedText } from './shared-text'

// What OpenClaw itself writes in these places, so that its own repair finds nothing left to do (2026.7.1).
const BLANK_USER_TEXT = '(continue)'
const BROKEN_IMAGE_TEXT = '[image omitted: corrupted base64 payload]'
const EMPTY_ERROR_TEXT = '[assistant turn failed before producing content]'

/**
 * Which generation's rules decide (lib/docs/openclaw.md#calls-and-results). `early`: OpenClaw of February 2026; `late`:
 * from mid 2026 on, which loses less.
 */
export type RepairRules = 'early' | 'late'

/** Names of tools that a runtime lets pass. */
const CALL_NAME: { readonly [R in RepairRules]: RegExp } = {
  early: /^[A-Za-z0-9_-]{1,64}$/,
  late: /^\s*[A-Za-z0-9_:.-]+\s*$/,
}

/** Beyond this JSON cannot be written again by recursion everywhere, nor read by SQLite. */
const MAX_DEPTH = 1000

/** What is wrong with the content of one message, and what to change. */
export type ContentFlaws = {
  readonly flaws: readonly FindingClass[]
  readonly edits: readonly JsonEdit[]
  readonly calls: readonly ToolCallRef[]
  /** Nothing of the message is left. */
  readonly empty: boolean
}

/** Looks at the content of a message; null when nothing is wrong and no tool is called. */
export function findContentFlaws(message: JsonObject, rules: RepairRules): ContentFlaws | null {
  const { role, content, stopReason } = message
  if (content === undefined || content === null) return withoutContent(role, stopReason)
  if (typeof content === 'string') return isBlankUser(role, content) ? blankUser('"(continue)"') : null
  if (!Array.isArray(content) || isPlain(content)) return null
  const look = new BlockLook(message, rules)
  for (let i = 0; i < content.length; i++) look.take(content[i], i)
  return look.finish(content.length)
}

/** Whether there is content and nothing in it can be wrong or call a tool, as in most messages: looked at first. */
function isPlain(content: readonly unknown[]): boolean {
  for (const block of content) {
    if (typeof block !== 'object' || block === null) return false
    const { type, text } = block as JsonObject
    if (type === 'thinking') continue
    // Texts that begin with a blank are examined again.
    if (type !== 'text' || typeof text !== 'string' || !isVisible(text.charCodeAt(0))) return false
  }
  return content.length > 0
}

/** ASCII that is no blank. */
function isVisible(code: number): boolean {
  return code > 0x20 && code < 0x7f
}

function withoutContent(role: unknown, stopReason: unknown): ContentFlaws | null {
  if (role !== 'user' && role !== 'assistant' && role !== 'toolResult' && role !== 'custom') return null
  const failed = role === 'assistant' && stopReason === 'error'
  const text = role === 'user' ? BLANK_USER_TEXT : failed ? EMPTY_ERROR_TEXT : null
  const value = text === null ? '[]' : textBlocks(text)
  return { flaws: ['no-content'], edits: [{ set: CONTENT, value }], calls: [], empty: false }
}

const CONTENT = ['message', 'content'] as const

function textBlocks(text: string): string {
  return `[${textBlock(text)}]`
}

function textBlock(text: string): string {
  return JSON.stringify({ type: 'text', text })
}

function isBlankUser(role: unknown, text: string): boolean {
  return role === 'user' && !/\S/.test(text)
}

function blankUser(value: string): ContentFlaws {
  return { flaws: ['blank-user'], edits: [{ set: CONTENT, value }], calls: [], empty: false }
}

/** Goes through the blocks of one message. */
class BlockLook {
  private readonly flaws = new Set<FindingClass>()
  private readonly replaced: JsonEdit[] = []
  private readonly removed: number[] = []
  private readonly calls: ToolCallRef[] = []
  private readonly message: JsonObject
  private readonly rules: RepairRules
  private readonly failed: boolean

  constructor(message: JsonObject, rules: RepairRules) {
    this.message = message
    this.rules = rules
    this.failed = message.stopReason === 'error' || message.stopReason === 'aborted'
  }

  take(block: unknown, index: number): void {
    if (typeof block === 'string') return
    if (!isObject(block)) {
      this.remove('broken-block', index)
      return
    }
    const { type } = block
    if (type === 'text') this.takeText(block, index)
    else if (type === 'image') this.takeImage(block, index)
    else if (blockKind(block) === 'call') this.takeCall(block, index)
  }

  finish(length: number): ContentFlaws | null {
    const { role } = this.message
    const edits = [...this.replaced, ...this.removed.toReversed().map((index) => remove(index))]
    const left = length - this.removed.length
    if (left === 0) {
      if (role === 'user') {
        this.flaws.add('blank-user')
        edits.splice(0, edits.length, { set: CONTENT, value: textBlocks(BLANK_USER_TEXT) })
      } else if (
        role === 'assistant' &&
        this.message.stopReason === 'error' &&
        !hasCheckpoint(this.message)
      ) {
        this.flaws.add('empty-error-turn')
        edits.splice(0, edits.length, { set: CONTENT, value: textBlocks(EMPTY_ERROR_TEXT) })
      }
    }
    if (this.flaws.size === 0 && this.calls.length === 0) return null
    const empty = left === 0 && this.flaws.has('incomplete-call')
    return { flaws: [...this.flaws], edits, calls: this.calls, empty }
  }

  private takeText(block: JsonObject, index: number): void {
    if (typeof block.text !== 'string') this.remove('broken-block', index)
    else if (isBlankUser(this.message.role, block.text)) this.remove('blank-user', index)
  }

  private takeImage(block: JsonObject, index: number): void {
    const { data } = block
    if (typeof data !== 'string' || isBase64(data)) return
    this.flaws.add('broken-image')
    this.replaced.push({ set: [...CONTENT, index], value: textBlock(BROKEN_IMAGE_TEXT) })
  }

  private takeCall(block: JsonObject, index: number): void {
    if (this.message.role !== 'assistant') return
    const id = callIdOf(block)
    const name = callNameOf(block)
    const broken =
      id === undefined ||
      callInputOf(block) === undefined ||
      !CALL_NAME[this.rules].test(name) ||
      // Nothing distinguishes the results.
      this.calls.some((call) => call.id === id) ||
      (this.rules === 'late' && block.partialJson !== undefined)
    // A turn that failed stays as it failed; runtimes leave it out.
    if (broken && !this.failed) this.remove('incomplete-call', index)
    else if (id !== undefined) this.calls.push({ id, name: sharedText(name.trim()) ?? '' })
  }

  private remove(flaw: FindingClass, index: number): void {
    this.flaws.add(flaw)
    this.removed.push(index)
  }
}

function remove(index: number): JsonEdit {
  return { remove: [...CONTENT, index] }
}

/** Whether an image's data can be decoded at all. Line ends are let pass, as providers do. */
function isBase64(data: string): boolean {
  const bare = /\s/.test(data) ? data.replace(/\s+/g, '') : data
  return bare.length % 4 !== 1 && BASE64.test(bare)
}

const BASE64 = /^[A-Za-z0-9+/_-]+={0,2}$/

/** Whether a value is nested more deeply than can be written again. */
export function isTooDeep(value: unknown, left = MAX_DEPTH): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (left === 0) return true
  if (Array.isArray(value)) {
    for (const part of value) if (typeof part === 'object' && isTooDeep(part, left - 1)) return true
    return false
  }
  const holder = value as JsonObject
  for (const key in holder) {
    const part = holder[key]
    if (typeof part === 'object' && isTooDeep(part, left - 1)) return true
  }
  return false
}

/** Whether JSON text holds half of a character, which the strictest providers refuse. Raw bytes never do. */
export function hasLoneSurrogate(text: string): boolean {
  return text.includes('\\u') && LONE_ESCAPE.test(text)
}

const LONE_ESCAPE =
  /(?<!\\)(?:\\\\)*(?:\\u[dD][89abAB][0-9a-fA-F]{2}(?!\\u[dD][c-fC-F])|(?<!\\u[dD][89abAB][0-9a-fA-F]{2})\\u[dD][c-fC-F])/
