import fc from 'fast-check'
import {
  DIGEST_LINES,
  NEED_KINDS,
  NEVER,
  REPLAY_KINDS,
  REPLAY_VERSION,
  type ReplaySession,
} from '../../core/replay/replay-session'

/** Any prepared session: its numbers are within their bounds, and mean nothing beyond that. */
export function anyReplay(): fc.Arbitrary<ReplaySession> {
  const sizes = { chunks: fc.integer({ min: 1, max: 12 }), calls: fc.integer({ min: 1, max: 6 }) }
  return fc
    .record({
      ...sizes,
      needs: fc.nat({ max: 8 }),
      texts: fc.array(fc.string(), { minLength: 1, maxLength: 5 }),
    })
    .chain(({ chunks, calls, needs, texts }) => {
      const ints = (count: number, min: number, max: number) =>
        fc
          .array(fc.integer({ min, max }), { minLength: count, maxLength: count })
          .map((values) => Int32Array.from(values))
      const bytes = (count: number, max: number) =>
        ints(count, 0, max).map((values) => Uint8Array.from(values))
      const large = 2_000_000
      const grains = (count: number) =>
        ints(count, 0, 1_000).map((values) => Float32Array.from(values, (value) => value / 1_000))
      const callNumbers = fc
        .array(fc.oneof(fc.constant(NEVER), fc.nat({ max: calls })), { minLength: chunks, maxLength: chunks })
        .map((values) => Int32Array.from(values))
      const lists = (count: number) =>
        fc.array(fc.array(fc.nat({ max: chunks - 1 }), { maxLength: 4 }), {
          minLength: count,
          maxLength: count,
        })
      return fc.record({
        version: fc.constant(REPLAY_VERSION),
        transcriptId: fc.string(),
        storeId: fc.string(),
        sessionId: fc.string(),
        runtime: fc.constantFrom('pi' as const, 'codex' as const),
        agent: fc.option(fc.string()),
        owner: fc.string(),
        startedAt: fc.option(fc.nat()),
        fixed: fc.nat(),
        sizeErrorPct: fc.option(fc.nat()),
        tools: fc.constant(['read', 'exec']),
        models: fc.constant([{ provider: 'one', model: null }]),
        chunks: fc.record({
          count: fc.constant(chunks),
          tokens: ints(chunks, 0, large),
          size: ints(chunks, 0, large),
          cleared: ints(chunks, 0, large),
          born: ints(chunks, 0, calls),
          kind: bytes(chunks, REPLAY_KINDS.length - 1),
          group: ints(chunks, 0, chunks - 1),
          block: ints(chunks, 0, chunks - 1),
          tool: ints(chunks, -1, 1),
          turn: ints(chunks, 0, 9),
          flags: bytes(chunks, 15),
          superseded: callNumbers,
          repeated: callNumbers,
          file: ints(chunks, -1, texts.length + 1),
          entry: ints(chunks, 0, large),
          from: ints(chunks, 0, large),
          to: ints(chunks, 0, large),
        }),
        calls: fc.record({
          count: fc.constant(calls),
          at: fc
            .array(fc.oneof(fc.constant(Number.NaN), fc.nat()), { minLength: calls, maxLength: calls })
            .map((values) => Float64Array.from(values)),
          prompt: ints(calls, -1, large),
          cacheRead: ints(calls, -1, large),
          cacheWrite: ints(calls, -1, large),
          output: ints(calls, -1, large),
          window: ints(calls, -1, large),
          believed: ints(calls, -1, large),
          model: ints(calls, -1, 0),
          entry: ints(calls, 0, large),
        }),
        needs: fc
          .record({
            at: ints(needs, 0, calls - 1),
            weight: grains(needs),
            kind: bytes(needs, NEED_KINDS.length - 1),
            span: ints(needs, 0, texts.length - 1),
            sources: lists(needs),
          })
          .map(({ sources, ...columns }) => ({
            ...columns,
            count: needs,
            offset: offsetsOf(sources),
            source: Int32Array.from(sources.flat()),
          })),
        spans: fc
          .record({
            kind: bytes(texts.length + 2, NEED_KINDS.length - 1),
            tokens: ints(texts.length + 2, 0, large),
            holders: lists(texts.length + 2),
          })
          .map(({ holders, ...columns }) => ({
            ...columns,
            texts,
            count: texts.length + 2,
            offset: offsetsOf(holders),
            holder: Int32Array.from(holders.flat()),
          })),
        lines: fc
          .record({
            kind: bytes(3, DIGEST_LINES.length - 1),
            chunk: ints(3, 0, chunks - 1),
            tokens: ints(3, 1, large),
            held: fc.array(fc.array(fc.nat({ max: texts.length - 1 }), { maxLength: 4 }), {
              minLength: 3,
              maxLength: 3,
            }),
          })
          .map(({ held, ...columns }) => ({
            ...columns,
            count: 3,
            offset: offsetsOf(held),
            span: Int32Array.from(held.flat()),
          })),
        likeness: lists(3).map((alike) => ({
          offset: offsetsOf(alike),
          chunk: Int32Array.from(alike.flat()),
          value: Uint8Array.from(alike.flat(), (chunk) => chunk + 200),
        })),
        cacheLife: fc.nat(),
        compactions: fc.array(
          fc.record({
            before: fc.nat({ max: calls }),
            firstKept: fc.nat({ max: chunks }),
            kept: fc.uniqueArray(fc.nat({ max: chunks - 1 })),
            summaryTokens: fc.nat({ max: large }),
            holds: fc.uniqueArray(fc.nat({ max: texts.length - 1 })),
            encrypted: fc.boolean(),
            asked: fc.boolean(),
          }),
          { maxLength: 3 },
        ),
        excluded: fc.record({
          ...{ quoted: fc.nat(), reread: fc.nat(), encrypted: fc.nat() },
          ...{ repeated: fc.nat(), unseen: fc.nat(), refused: fc.nat() },
        }),
        writtenAgain: fc.record({ shown: fc.array(fc.nat()), unseen: fc.array(fc.nat()) }),
        fit: fc.record({
          ...{ matched: fc.nat(), compared: fc.nat() },
          ...{ money: fc.option(fc.nat()), moneyByTimes: fc.option(fc.nat()), rewrites: fc.option(fc.nat()) },
          coldStarts: fc.array(fc.nat(), { maxLength: 3 }),
        }),
        passedOver: fc.nat(),
        spanHashes: fc
          .uniqueArray(fc.nat({ max: 0xffffffff }))
          .map((hashes) => Uint32Array.from(hashes).sort()),
      })
    })
}

function offsetsOf(lists: readonly (readonly number[])[]): Int32Array {
  return Int32Array.from([0, ...lists.map((_, n) => lists.slice(0, n + 1).flat().length)])
}
