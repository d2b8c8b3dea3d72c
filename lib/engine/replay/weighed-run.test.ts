import { expect, it } from 'vitest'
import { DEFAULT_POLICY } from '../../core/policy/default-policy'
import { EVERY_SESSION } from '../../core/replay/experiment-spec'
import { NO_PRICES } from '../../core/tokens/own-prices'
import { TranscriptBuilder } from '../../testing/builders/transcript'
import { memoryReader, memorySession } from '../../testing/memory-session'
import type { FoundTranscript } from '../read/ports'
import { policyCatalogue } from './policy-choice'
import { inlineExecutor } from './replay-executor'
import { type RunReplayPorts, runReplay } from './run-replay'

const runtime = { owner: 'pi', era: 'jsonl', version: null, files: [], own: null } as const

/** Talk of a folder, with a compaction that drops two paths: one is looked up before it is written again, one is not. */
function talkIn(folder: string, isCompacted: boolean): string {
  const session = new TranscriptBuilder({ cwd: `/home/me/${folder}` })
  session.user('work on src/one/looked-up.ts, src/two/from-nowhere.ts, src/three/kept.ts')
  session.assistant('yes')
  const kept = session.user('src/three/kept.ts it is')
  if (isCompacted) session.compaction('on with it', kept)
  const call = (id: string, path: string) =>
    session.message({
      role: 'assistant',
      content: [{ type: 'toolCall', id, name: 'read', arguments: { path } }],
      ...{ model: 'claude-sonnet-4-5', provider: 'anthropic', stopReason: 'toolUse' },
    })
  call('c1', 'src/three/kept.ts')
  session.result('c1', 'src/one/looked-up.ts')
  call('c2', 'src/one/looked-up.ts')
  call('c3', 'src/two/from-nowhere.ts')
  return session.text()
}

/** A run over sessions in memory, which nothing keeps. */
async function runOver(texts: readonly string[]) {
  const first = await memorySession(texts[0] ?? '')
  const byTranscript = new Map<FoundTranscript, () => string>(
    texts.map((text, i) => [
      { ...first.transcript, id: `t${i}`, sessionId: `s${i}`, path: `/s${i}.jsonl` },
      () => text,
    ]),
  )
  const reads: string[] = []
  const reader = memoryReader(first.store, byTranscript)
  const ports: RunReplayPorts = {
    candidates: () =>
      [...byTranscript.keys()].map((transcript) => ({
        ...{ store: first.store, transcript, title: transcript.sessionId, calls: null, updatedAt: 1 },
      })),
    policies: policyCatalogue({ runtimeOf: () => runtime, draftOf: () => DEFAULT_POLICY }),
    executor: inlineExecutor({
      reader: {
        ...reader,
        read: (store, transcript, ...rest) => {
          reads.push(transcript.id)
          return reader.read(store, transcript, ...rest)
        },
      },
      ...{ prepared: null, refused: null, prices: NO_PRICES },
    }),
    prices: 'list',
  }
  const spec = { sessions: EVERY_SESSION, policies: ['everything'] }
  const result = await runReplay(ports, spec, { report: () => undefined })
  if (result === null) throw new Error('the run was stopped')
  return { result, reads }
}

it('L2 a run goes by the compactions that its sessions recorded, else by the prior', async () => {
  const plain = await runOver([talkIn('one', false), talkIn('one', false)])
  expect(plain.result.weighing).toMatchObject({ owners: 1, precision: [] })
  const { result } = await runOver([talkIn('one', false), talkIn('one', true)])
  expect(result.weighing?.precision).toEqual([
    { kind: 'path', value: expect.closeTo(9 / 12), shown: 1, unseen: 1 },
  ])
  // The same needs of the session without a compaction, and by as much less sure.
  const of = ({ sessions }: typeof result) => sessions.find(({ sessionId }) => sessionId === 's0')
  const ratio = (of(result)?.weight ?? 0) / (of(plain.result)?.weight ?? 1)
  expect(ratio).toBeCloseTo(9 / 12 / 0.8, 2)
})

it('L2 a run weighs what other workspaces have as well by less, and reads each session once', async () => {
  const alone = await runOver([talkIn('one', false), talkIn('one', false)])
  const { result, reads } = await runOver([
    talkIn('one', false),
    talkIn('two', false),
    talkIn('three', false),
  ])
  expect(result.weighing).toMatchObject({ owners: 3 })
  expect(result.sessions[0]?.weight).toBeLessThan((alone.result.sessions[0]?.weight ?? 0) * 0.6)
  expect(reads).toEqual(['t0', 't1', 't2'])
})
