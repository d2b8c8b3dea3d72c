import { effectiveBudget } from '../core/budget/load-lines'
import { prose, REQUESTS, TOOLS } from './phrases'
import type { Random } from './random'
import { DEMO_KEEP_RECENT, type Oddity, OTHER_MODEL, type SessionScript } from './session-script'
import { demoTokens, TranscriptWriter } from './transcript-writer'

/** A session as it was played: its transcript, and what a runtime would note about it in its index. */
export type PlayedSession = {
  readonly sessionId: string
  readonly script: SessionScript
  readonly text: string
  readonly updatedAt: number
  readonly lastPromptTokens: number
  readonly lastPromptFresh: boolean
  readonly compactions: number
  readonly calls: number
  readonly provider: string
  readonly model: string
}

/** Text that must never be taken for markup, terminal commands or layout. */
const HOSTILE =
  '<img src=x onerror="document.title=\'pwned\'"><script>document.title="pwned"</script> </textarea></style> \u001b[2J\u001b]0;pwned\u0007 \u202egnp.exe\u202c \u0000 {{7*7}} javascript:alert(1)'

// A red square of 8 × 8 pixels.
const PICTURE =
  'iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAIAAABLbSncAAAAEUlEQVR42mM4oKCAFTEMLQkAKj9AAQUJSn0AAAAASUVORK5CYII='
const PICTURE_TOKENS = 420

/** Plays the script: users ask, models call tools and answer, the runtime compacts when the window is full. */
export function playSession(script: SessionScript, random: Random): PlayedSession {
  const sessionId = random.uuid()
  const writer = new TranscriptWriter(random, script.startedAt)
  const player = new Player(script, random, writer)
  writer.header(sessionId, script.cwd)
  writer.entry('model_change', { provider: script.provider, modelId: script.model })
  writer.entry('thinking_level_change', { thinkingLevel: 'low' })
  writer.entry('session_info', { name: script.title })
  while (player.calls < script.calls && player.fill < (script.stopAtFill ?? Infinity)) player.turn()
  return {
    sessionId,
    script,
    text: writer.text,
    updatedAt: writer.writtenAt,
    lastPromptTokens: player.lastPrompt,
    lastPromptFresh: !script.oddities.includes('no-usage'),
    compactions: player.compactions,
    calls: player.calls,
    provider: player.model.provider,
    model: player.model.model,
  }
}

type ModelId = { readonly provider: string; readonly api: string; readonly model: string }

class Player {
  readonly #script: SessionScript
  readonly #random: Random
  readonly #writer: TranscriptWriter
  readonly #pending: Set<Oddity>
  #cached = 0
  calls = 0
  compactions = 0
  lastPrompt = 0
  model: ModelId

  constructor(script: SessionScript, random: Random, writer: TranscriptWriter) {
    this.#script = script
    this.#random = random
    this.#writer = writer
    this.#pending = new Set(script.oddities)
    this.model = script
  }

  /** Share of `window − reserve` that the last prompt filled. */
  get fill(): number {
    return this.lastPrompt / effectiveBudget(this.#script.window)
  }

  /** From a user's request to the answer: between none and a few tool rounds. */
  turn(): void {
    const halfway = this.calls >= this.#script.calls / 2
    if (halfway && this.#take('model-switch')) {
      this.model = OTHER_MODEL
      this.#cached = 0
      this.#writer.entry('model_change', { provider: OTHER_MODEL.provider, modelId: OTHER_MODEL.model })
    }
    if (halfway) this.#stumble()
    this.#ask()
    if (halfway && this.#take('branch')) {
      this.#answer(0)
      this.#writer.rewind()
      this.#cached = 0
      this.#ask()
    }
    const rounds = Math.min(this.#random.int(0, 5), this.#script.calls - this.calls - 1)
    for (let i = 0; i < rounds; i++) this.#answer(this.#random.chance(0.2) ? 2 : 1)
    if (halfway && this.#take('aborted-call')) this.#fail('aborted', 'Request was aborted')
    else if (halfway && this.#take('failed-call')) this.#fail('error', '529 overloaded, try again later')
    this.#answer(0)
    if (halfway && this.#take('delivery-mirror')) this.#mirror()
    this.#writer.now += this.#script.pauseMs
  }

  /** Whether an oddity is still to come; it is used up by asking. */
  #take(oddity: Oddity): boolean {
    return this.#pending.delete(oddity)
  }

  #ask(): void {
    const text = this.#take('hostile-text') ? HOSTILE : this.#random.pick(REQUESTS)
    const content: unknown[] = [{ type: 'text', text }]
    let tokens = demoTokens(text)
    if (this.#take('picture')) {
      content.push({ type: 'image', data: PICTURE, mimeType: 'image/png' })
      tokens += PICTURE_TOKENS
    }
    this.#writer.message({ role: 'user', content }, tokens)
    this.#writer.now += this.#random.int(800, 3_000)
  }

  /** Lines that a healthy transcript would not have. */
  #stumble(): void {
    const writer = this.#writer
    if (this.#take('orphan-result')) {
      const text = 'Result of a call that was lost when the runtime was restarted.'
      const content = [{ type: 'text', text }]
      // Runtimes leave a result without its call out when they send, so it weighs nothing.
      writer.message(
        { role: 'toolResult', toolCallId: 'call_lost', toolName: 'exec', content, isError: true },
        0,
      )
    }
    if (this.#take('unreadable-line')) writer.raw('{"type":"message","id":"5e1f00d5","parentId":"0c')
    if (this.#take('unknown-entry'))
      writer.entry('harbour_note', { note: 'An entry of a kind from the future.' })
  }

  /** One model call: compacts first when there is no room, then writes the answer and the results of its tool calls. */
  #answer(toolCalls: number): void {
    const { fixedTokens, window, compactAt, resultChars } = this.#script
    const random = this.#random
    const writer = this.#writer
    let prompt = fixedTokens + writer.contextTokens
    if (prompt > compactAt) {
      const summary = `## Goal\nKeep the harbour's plans right.\n\n## Done\n${prose(random, 1_600)}\n\n## Open\n- ${random.pick(REQUESTS)}`
      writer.compact(summary, Math.min(DEMO_KEEP_RECENT, window / 8), prompt)
      this.compactions++
      this.#cached = 0
      prompt = fixedTokens + writer.contextTokens
    }
    const silent = toolCalls === 0 && this.calls > 2 && this.#take('silent-reply')
    const thinking = random.chance(0.5) ? prose(random, random.int(60, 500)) : ''
    const text = silent ? 'NO_REPLY' : prose(random, toolCalls > 0 ? 80 : random.int(120, 1_400))
    const calls = Array.from({ length: toolCalls }, () => {
      const tool = random.pick(TOOLS)
      return { tool, id: `call_${random.hex(10)}`, arguments: tool.arguments(random) }
    })
    const content = [
      ...(thinking === '' ? [] : [{ type: 'thinking', thinking, thinkingSignature: random.hex(32) }]),
      { type: 'text', text },
      ...calls.map((call) => ({
        type: 'toolCall',
        id: call.id,
        name: call.tool.name,
        arguments: call.arguments,
      })),
    ]
    const spoken =
      thinking + text + calls.map((call) => call.tool.name + JSON.stringify(call.arguments)).join('')
    const output = demoTokens(spoken)
    const stopReason = toolCalls > 0 ? 'toolUse' : 'stop'
    writer.message(
      { role: 'assistant', content, ...this.#modelFields(), usage: this.#usage(prompt, output), stopReason },
      // A reply of the silent token only is left out when the history is sent.
      silent ? 0 : output,
    )
    this.#cached = prompt
    this.lastPrompt = prompt
    this.calls++
    writer.now += random.int(1_500, 12_000)
    for (const call of calls) {
      const result = call.tool.output(random, Math.round(resultChars * (0.3 + 1.4 * random.next())))
      writer.message(
        {
          role: 'toolResult',
          toolCallId: call.id,
          toolName: call.tool.name,
          content: [{ type: 'text', text: result }],
          details: { durationMs: random.int(5, 900) },
          isError: false,
        },
        demoTokens(result),
      )
      writer.now += random.int(50, 900)
    }
  }

  #fail(stopReason: 'aborted' | 'error', errorMessage: string): void {
    const usage = { ...ZERO_USAGE }
    this.#writer.message(
      { role: 'assistant', content: [], ...this.#modelFields(), usage, stopReason, errorMessage },
      0,
    )
    this.calls++
  }

  #mirror(): void {
    const content = [{ type: 'text', text: 'Berth plan sent to the channel.' }]
    const fields = { api: 'openai-responses', provider: 'openclaw', model: 'delivery-mirror' }
    this.#writer.message(
      { role: 'assistant', content, ...fields, usage: { ...ZERO_USAGE }, stopReason: 'stop' },
      0,
    )
  }

  #modelFields() {
    return { api: this.model.api, provider: this.model.provider, model: this.model.model }
  }

  /** What providers with a prompt cache report: the unchanged beginning was read from it, the rest written to it. */
  #usage(prompt: number, output: number) {
    if (this.#script.oddities.includes('no-usage')) return { ...ZERO_USAGE }
    const cacheRead = Math.min(this.#cached, prompt)
    const input = Math.min(4, prompt - cacheRead)
    const cacheWrite = prompt - cacheRead - input
    // US dollars per million tokens, of a pretended price list.
    const parts = {
      input: input * 3,
      output: output * 15,
      cacheRead: cacheRead * 0.3,
      cacheWrite: cacheWrite * 3.75,
    }
    const cost = Object.fromEntries(Object.entries(parts).map(([name, value]) => [name, round(value / 1e6)]))
    const total = round(Object.values(parts).reduce((sum, value) => sum + value, 0) / 1e6)
    return { input, output, cacheRead, cacheWrite, totalTokens: prompt + output, cost: { ...cost, total } }
  }
}

const ZERO_USAGE = {
  input: 0,
  output: 0,
  cacheRead: 0,
  cacheWrite: 0,
  totalTokens: 0,
  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
} as const

function round(dollars: number): number {
  return Math.round(dollars * 1e6) / 1e6
}
