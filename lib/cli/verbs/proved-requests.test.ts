import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { hashOfMessage, hashOfValue, RecordedRequests } from '../../testing/builders/recorded-requests'
import { CORPUS } from '../../testing/corpus'
import { runCli } from '../../testing/run-cli'
import { sharedFolder } from '../../testing/store-folder'

const folder = sharedFolder()
const env = { HOME: join(folder, 'home'), PLIMSOLL_HOME: join(folder, 'state') }

type Json = Record<string, unknown>
type Message = { readonly role: string; readonly content: string | Json[] }

async function contextOf(file: string, call: string) {
  const run = await runCli(['context', file, '--call', call, '--json'], { env })
  expect(run.stderr).toBe('')
  return JSON.parse(run.stdout)
}

function saved(name: string, text: string): string {
  const file = join(folder, name)
  writeFileSync(file, text)
  return file
}

/** Two calls, the second with the results of two tools in lines apart. */
function small(): RecordedRequests {
  const script = new RecordedRequests()
  const asked = script.user('Where is the barrel?')
  const first = script.request([asked])
  const call = (id: string) => ({ type: 'tool_use', id, name: 'Bash', input: { command: 'ls' } })
  const answer = script.assistant('m1', call('t1'), call('t2'))
  const results = ['t1', 't2'].map((id) => ({ type: 'tool_result', tool_use_id: id, content: 'tusks' }))
  for (const result of results) script.user([result])
  script.request([answer, { role: 'user', content: results }], { base: first, keep: 1 })
  script.assistant('m2', { type: 'text', text: 'In the hold.' })
  return script
}

describe('plimsoll context of a transcript that records its requests', () => {
  it('says which are proved, of which lines, and where the cache breaks', async () => {
    const file = saved('small.jsonl', small().text())
    const report = await contextOf(file, 'last')
    expect(report).toMatchObject({
      seen: 'proved',
      proof: { requests: 2, rebuilt: 2, proved: 2 },
      request: { id: 'request-2', source: 'sdk', unproved: null },
      cacheBreaks: [{ path: ['messages', 0, 'content', 0], ttl: null }],
    })
    expect(report.request.messages.map(({ lines }: { lines: number[] }) => lines)).toEqual([
      [3],
      [5, 6],
      [7, 8],
    ])
    const next = await contextOf(file, 'next')
    expect(next).toMatchObject({ seen: 'all', proof: { proved: 2 } })
    expect(next.request).toBeUndefined()
    const { stdout } = await runCli(['context', file], { env })
    expect(stdout).toContain('proved: 2 of 2 requests. This call is proved')
  })

  it('does not say so of a call with another text, nor of a transcript that records none', async () => {
    const text = small().text()
    const file = saved('changed.jsonl', text.replaceAll('tusks', 'rusks'))
    expect(await contextOf(file, '1')).toMatchObject({ seen: 'proved', proof: { requests: 2, proved: 1 } })
    expect(await contextOf(file, '2')).toMatchObject({ seen: 'all', request: { unproved: 'missing' } })
    const { stdout } = await runCli(['context', file], { env })
    expect(stdout).toContain('proved: 1 of 2 requests. This call is not proved: the transcript has no text')
    const older = text.split('\n').filter((line) => !line.includes('"api-request'))
    const without = await contextOf(saved('older.jsonl', older.join('\n')), '2')
    expect(without.seen).toBe('all')
    expect(without.proof).toBeUndefined()
  })
})

const RECORDED =
  CORPUS === null
    ? []
    : readdirSync(CORPUS)
        .filter((name) => name.startsWith('claude-code-2.1.'))
        .map((name) => join(CORPUS ?? '', name))
        .filter((path) => existsSync(join(path, 'requests.jsonl')))
        .filter((path) => readFileSync(join(path, 'session.jsonl'), 'utf8').includes('"api-request"'))

/**
 * The same transcript with the hashes of the texts that are in it now: the vendor's own were replaced in the corpus by a
 * filler, under the hashes that they had.
 */
function withHashesOfFillers(text: string): string {
  const lines = text.split('\n').flatMap((line): Json[] => (line === '' ? [] : [JSON.parse(line)]))
  let mended = text
  for (const { hash, message, shapeHash, shape } of lines) {
    if (message !== undefined && typeof hash === 'string')
      mended = mended.replaceAll(hash, hashOfMessage(message as Message))
    if (typeof shapeHash === 'string' && shape !== undefined)
      mended = mended.replaceAll(shapeHash, hashOfValue(shape))
  }
  return mended
}

/** The message that lines hold together. */
function messageIn(lines: readonly Json[]): Message {
  const messages = lines.map(({ message }) => message as Message)
  const blocks = ({ content }: Message) =>
    typeof content === 'string' ? [{ type: 'text', text: content }] : content
  return { role: messages[0]?.role ?? '', content: messages.flatMap(blocks) }
}

/** Whether a rebuilt message is one that was sent; of the vendor's texts only that they are there. */
function isSent(rebuilt: Message, sent: Message): boolean {
  const is = messageIn([{ message: rebuilt }]).content as Json[]
  const was = messageIn([{ message: sent }]).content as Json[]
  if (rebuilt.role !== sent.role || is.length !== was.length) return false
  return was.every((block, i) => block.client !== undefined || hashOfValue(block) === hashOfValue(is[i]))
}

describe.skipIf(RECORDED.length === 0)(
  'requests of the real client (skipped where they are not at hand)',
  () => {
    for (const path of RECORDED) {
      it('are all rebuilt, proved, and what the server was sent, message for message', async () => {
        const text = readFileSync(join(path, 'session.jsonl'), 'utf8')
        const recorded = text.split('\n').filter((line) => line.includes('"type":"api-request"')).length
        const asIs = await contextOf(saved('as-it-is.jsonl', text), 'last')
        // Fillers are no texts of the vendor, and are not taken for them.
        const isWhole = withHashesOfFillers(text) === text
        expect(asIs.proof).toEqual({ requests: recorded, rebuilt: recorded, proved: isWhole ? recorded : 0 })
        expect(asIs.seen).toBe(isWhole ? 'proved' : 'all')

        const mended = withHashesOfFillers(text)
        const file = saved('mended.jsonl', mended)
        const lines = mended.split('\n').map((line): Json => (line === '' ? {} : JSON.parse(line)))
        const requests = readFileSync(join(path, 'requests.jsonl'), 'utf8').trim().split('\n')
        const sent = requests.map((line): { messages: Message[] } => {
          const { body, ...request } = JSON.parse(line)
          return body ?? request
        })
        const asked = new Set<string>()
        let at = 0
        for (let call = 1; call <= asIs.calls; call++) {
          const { seen, request, proof } = await contextOf(file, String(call))
          expect(seen).toBe('proved')
          asked.add(request.id)
          expect(proof).toEqual({ requests: recorded, rebuilt: recorded, proved: recorded })
          const messages = (request.messages as { lines: number[] }[]).map((message) =>
            messageIn(message.lines.map((line) => lines[line - 1] ?? {})),
          )
          const found = sent.findIndex(
            (one, i) =>
              i >= at &&
              one.messages.length === messages.length &&
              one.messages.every((message, n) => isSent(messages[n] ?? message, message)),
          )
          expect(found, `call ${call}`).toBeGreaterThanOrEqual(at)
          at = found + 1
        }
        const compactions = lines.filter(({ subtype }) => subtype === 'compact_boundary').length
        // A request that the server refused was sent once more; what sub-agents sent is in transcripts of theirs.
        expect(asked.size).toBe(asIs.calls)
        expect(asIs.calls).toBeLessThanOrEqual(recorded)
        expect(sent.length - recorded).toBeGreaterThanOrEqual(compactions)
      })
    }
  },
)
