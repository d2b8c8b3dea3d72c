import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { describe, expect, it } from 'vitest'
import { runtimeContextTokens } from '../../core/compaction/context-tokens'
import { prepareCompaction } from '../../core/compaction/prepare'
import { runtimeTokens } from '../../core/compaction/runtime-size'
import { Branches } from '../../core/transcript/branches'
import { contextAt } from '../../core/transcript/context'
import type { JsonObject } from '../../core/transcript/json'
import { factsOf } from '../builders/transcript'
import { openPi, PI, PI_FILES } from './pi'

type PiEntry = { readonly id: string; readonly type: string }
type PiPreparation = {
  readonly firstKeptEntryId: string
  readonly messagesToSummarize: readonly unknown[]
  readonly turnPrefixMessages: readonly unknown[]
  readonly isSplitTurn: boolean
  readonly tokensBefore: number
}
type Pi = {
  SessionManager: { open(file: string): { getBranch(): PiEntry[] } }
  shouldCompact(tokens: number, window: number, settings: object): boolean
  prepareCompaction(path: readonly PiEntry[], settings: object): PiPreparation | undefined
}

const KEEP = [20_000, 3_000, 0]
const RESERVE = 16_384

const pi = openPi<Pi>('session-manager.js', 'compaction/compaction.js')

type Cut = {
  readonly firstKept: number
  readonly split: boolean
  readonly summarised: number
  readonly tokensBefore: number
} | null

function cutsOfPi(text: string): Cut[] {
  const { SessionManager, prepareCompaction: prepared } = pi.module()
  const path = SessionManager.open(pi.copyOf(withoutZeros(text))).getBranch()
  return KEEP.map((keepRecentTokens) => {
    const found = prepared(path, { enabled: true, reserveTokens: RESERVE, keepRecentTokens })
    const messages = (found?.messagesToSummarize.length ?? 0) + (found?.turnPrefixMessages.length ?? 0)
    // pi prepares compactions of nothing too, and asks the model for a summary of nothing.
    if (found === undefined || messages === 0) return null
    return {
      firstKept: path.findIndex(({ id }) => id === found.firstKeptEntryId),
      split: found.isSplitTurn,
      summarised: messages,
      tokensBefore: found.tokensBefore,
    }
  })
}

/**
 * pi takes a usage of zeros for the size of a full context; we look further back, as OpenClaw 2026.9 does. Without it pi
 * does the same.
 */
function withoutZeros(text: string): string {
  return text.replaceAll(
    /"usage":\{"input":0,"output":0,"cacheRead":0,"cacheWrite":0,[^{}]*\{[^{}]*\}\},/g,
    '',
  )
}

function cutsOfOurs(text: string): Cut[] {
  const lines = text.split('\n').filter((line) => line !== '')
  const branches = Branches.of(factsOf(text))
  const sizes = lines.map((line) => runtimeTokens(JSON.parse(line) as JsonObject, 'pi'))
  const sized = (seq: number) => ({ fact: branches.facts[seq] as never, size: sizes[seq] ?? 0 })
  const path = branches.path(branches.leaf)
  const context = contextAt(branches, branches.leaf, 'pi').map(({ fact }) => sized(fact.seq))
  return KEEP.map((keep) => {
    const prepared = prepareCompaction(path.map(sized), keep, (boundary) =>
      branches.firstKept(path, boundary),
    )
    if (prepared.kind === 'nothing') return null
    const { firstKept, turnPrefix, summarise } = prepared.preparation
    const gone = path.slice(summarise.from, firstKept).map((seq) => branches.facts[seq]?.type)
    return {
      firstKept,
      split: turnPrefix !== null,
      summarised: gone.filter((type) => ENTERS.has(type ?? '')).length,
      tokensBefore: runtimeContextTokens(context),
    }
  })
}

const ENTERS = new Set(['message', 'custom_message', 'branch_summary'])

describe.skipIf(PI_FILES.length === 0)(
  `D9 cut points and tokensBefore are those of pi ${PI.version} (needs the shared corpus)`,
  () => {
    it.each(PI_FILES.map((file) => [basename(file), file]))('%s, cut after every line', (_name, file) => {
      const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean)
      for (let cut = 1; cut <= lines.length; cut++) {
        const text = `${lines.slice(0, cut).join('\n')}\n`
        expect(cutsOfOurs(text), `after line ${cut}`).toEqual(cutsOfPi(text))
      }
    })

    it.each(PI_FILES.map((file) => [basename(file), file]))(
      'D3 %s: due when it is for pi, at every line',
      (_name, file) => {
        const branches = Branches.of(factsOf(readFileSync(file, 'utf8')))
        const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean)
        const settings = { enabled: true, reserveTokens: RESERVE, keepRecentTokens: 20_000 }
        let checked = 0
        for (const { seq } of branches.facts) {
          const context = contextAt(branches, seq, 'pi').map(({ fact }) => ({
            fact,
            size: runtimeTokens(JSON.parse(lines[fact.seq] ?? '{}') as JsonObject, 'pi'),
          }))
          const tokens = runtimeContextTokens(context)
          // Windows that the context fills exactly, by one less, and by one more.
          for (const window of [
            tokens + RESERVE - 1,
            tokens + RESERVE,
            tokens + RESERVE + 1,
            64_000,
            200_000,
          ]) {
            const theirs = pi.module().shouldCompact(tokens, window, settings)
            expect(tokens > window - RESERVE, `line ${seq + 1}, ${window}`).toBe(theirs)
            checked += 1
          }
        }
        expect(checked).toBeGreaterThan(0)
      },
    )
  },
)
