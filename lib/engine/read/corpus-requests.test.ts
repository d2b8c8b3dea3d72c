import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { isObject, type JsonObject } from '../../core/transcript/json'
import { CORPUS } from '../../testing/corpus'
import { readTranslatedSession } from '../../testing/translated-session'
import { type CallChoice, explainCall, type InspectedSession } from './inspect-session'
import type { StoreKind } from './ports'

const FOLDERS =
  CORPUS === null ? [] : readdirSync(CORPUS).filter((name) => /^(?:claude-code|codex)-\d/.test(name))

type Sent = { readonly role: string; readonly preview: string }

/** The texts of a request that a user, a model or a tool said, in order, as far as previews reach. */
function textsOf(request: JsonObject): string[] {
  const messages = (request.messages ?? request.input) as JsonObject[]
  return messages
    .flatMap((message) => (Array.isArray(message.content) ? message.content : [message.content ?? message]))
    .map(textOf)
    .map((text) => text.replace(/\s+/g, ' ').trim().slice(0, 60))
    .filter((text) => text.length > 3 && !text.startsWith(ASKS_FOR_SUMMARY))
}

/** What Codex adds to the context when it has it compacted; the rollout has the answer, and not these words. */
const ASKS_FOR_SUMMARY = 'You are performing a CONTEXT CHECKPOINT COMPACTION'

/** The vendor's own texts were replaced by a filler. */
function textOf(block: unknown): string {
  if (typeof block === 'string') return block
  if (!isObject(block) || block.client) return ''
  const said = block.text ?? block.content ?? block.output
  return typeof said === 'string' ? said : ''
}

/** Whether every text of a request is in a context, in order, and what users and tools said there is in the request. */
function isSame(request: readonly string[], context: readonly Sent[]): boolean {
  let at = 0
  for (const text of request) {
    const found = context.findIndex(({ preview }, place) => place >= at && preview.startsWith(text))
    if (found < 0) return false
    at = found + 1
  }
  return context
    .filter(({ role, preview }) => (role === 'user' || role === 'toolResult') && preview.length > 3)
    .every(({ preview }) => request.some((text) => preview.startsWith(text)))
}

function contextOf(session: InspectedSession, call: CallChoice): Sent[] {
  return (explainCall(session, call)?.entries ?? [])
    .filter(({ entry }) => entry.sent)
    .map(({ entry: { fact } }) => ({ role: fact.role ?? '', preview: fact.preview ?? '' }))
}

/** What was in the window when each compaction began: the transcript as it was before the line of the compaction. */
async function contextsBefore(session: InspectedSession, kind: StoreKind, text: string): Promise<Sent[][]> {
  const lines = text.split('\n')
  return Promise.all(
    session.facts
      .filter(({ type }) => type === 'compaction')
      .map(async ({ line }) =>
        contextOf(await readTranslatedSession(kind, `${lines.slice(0, line - 1).join('\n')}\n`), 'next'),
      ),
  )
}

describe.skipIf(FOLDERS.length === 0)(
  'requests of the real clients (skipped where they are not at hand)',
  () => {
    for (const folder of FOLDERS) {
      it(`${folder}: each call was sent its context, text for text`, async () => {
        const root = join(CORPUS ?? '', folder)
        const name = readdirSync(root).find((file) => file.endsWith('.jsonl') && file !== 'requests.jsonl')
        const kind = folder.startsWith('codex') ? 'codex' : 'claude-code'
        const text = readFileSync(join(root, name ?? ''), 'utf8')
        const session = await readTranslatedSession(kind, text)
        const contexts = session.frames.map(({ call }) => contextOf(session, call))
        const requests = readFileSync(join(root, 'requests.jsonl'), 'utf8')
          .trim()
          .split('\n')
          .map((line) => textsOf(JSON.parse(line) as JsonObject))
        let call = 0
        const others: string[][] = []
        for (const request of requests) {
          const context = contexts[call]
          if (context !== undefined && isSame(request, context)) call += 1
          else others.push(request)
        }
        expect(call).toBe(contexts.length)
        expect(call).toBeGreaterThan(10)
        // What is left are requests of compactions, whose answers are no lines of the conversation.
        const compactions = await contextsBefore(session, kind, text)
        if (others.length > 0) expect(others).toHaveLength(compactions.length)
        for (const [i, request] of others.entries())
          expect(isSame(request, compactions[i] ?? []), `request of compaction ${i + 1}`).toBe(true)
      })
    }
  },
)
