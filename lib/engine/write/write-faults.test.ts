import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyCharacter } from '../../testing/builders/any-text'
import { failingFiles } from '../../testing/failing-files'
import { MemoryDisk } from '../../testing/memory-disk'
import { testWriter } from '../../testing/test-writer'
import {
  bytesOf,
  diskOf,
  INTENT,
  NO_WAIT,
  stateNow,
  TRANSCRIPT,
  WRITE_SCENARIOS,
} from '../../testing/write-scenarios'
import type { WriteResult } from './receipt'
import { recoverWrites } from './recover-writes'
import { changeFiles, replaceFile } from './replace-file'
import { undoWrite } from './undo-write'
import type { Writer } from './write-ports'

const FOLDER = '/store/agents/main/sessions'

describe('a system call that fails', () => {
  for (const [code, generation] of [
    ['ENOSPC', 'first'],
    ['EIO', 'second'],
  ] as const) {
    for (const scenario of WRITE_SCENARIOS.filter(({ name }) => name.includes(generation))) {
      it(`${scenario.name}: ${code} at any call leaves all or nothing, and says which`, async () => {
        const healthy = failingFiles(await diskOf(scenario), null)
        await scenario.run(testWriter(healthy.files))
        const results = { done: 0, refused: 0 }
        for (let at = 0; at < healthy.calls.length; at++) {
          const disk = await diskOf(scenario)
          const name = healthy.calls[at] ?? ''
          const result = await attempt(() => scenario.run(testWriter(failingFiles(disk, { at, code }).files)))
          if (result === 'thrown') continue
          // What could not be cleaned up or written down at that moment is made up for.
          const writer = testWriter(disk)
          await recoverWrites(writer)
          const now = Object.fromEntries(Object.keys(scenario.before).map((path) => [path, disk.text(path)]))
          expect(now, name).toEqual(result.kind === 'done' ? scenario.after : scenario.before)
          if (result.kind !== 'unchanged') results[result.kind]++
          const left = (await disk.list(FOLDER)).filter((entry) => entry.endsWith('.tmp'))
          if (!name.startsWith('unlink') && !name.startsWith('stat')) expect(left, name).toEqual([])
        }
        expect(results.refused).toBeGreaterThan(10)
        expect(results.done).toBeGreaterThan(2)
      })
    }
  }
})

/** The test's own look at the files before the write goes through the same calls. */
async function attempt(run: () => Promise<WriteResult>): Promise<WriteResult | 'thrown'> {
  try {
    return await run()
  } catch (error) {
    if (error instanceof Error && error.message.includes('injected')) return 'thrown'
    throw error
  }
}

type Change =
  | { readonly kind: 'replace'; readonly bytes: Uint8Array }
  | { readonly kind: 'append'; readonly lines: readonly string[] }
  | { readonly kind: 'move' | 'remove' }

const bytes = fc.uint8Array({ maxLength: 300 })
const change: fc.Arbitrary<Change> = fc.oneof(
  fc.record({ kind: fc.constant('replace' as const), bytes }),
  fc.record({
    kind: fc.constant('append' as const),
    lines: fc.array(
      fc.string({ unit: anyCharacter }).map((text) => text.replaceAll('\n', '')),
      { minLength: 1, maxLength: 3 },
    ),
  }),
  fc.constant<Change>({ kind: 'move' }),
  fc.constant<Change>({ kind: 'remove' }),
)

describe('undo', () => {
  it('gives back every file byte for byte, whatever was written, in turn', async () => {
    let undone = 0
    await fc.assert(
      fc.asyncProperty(bytes, fc.array(change, { minLength: 1, maxLength: 5 }), async (start, changes) => {
        const disk = new MemoryDisk()
        await disk.put(TRANSCRIPT, start, 0o640)
        const writer = testWriter(disk)
        const steps: { receipt: string; before: string }[] = []
        for (const each of changes) {
          const before = await picture(disk)
          const result = await carry(writer, each)
          if (result?.kind === 'done') steps.push({ receipt: result.receipt.id, before })
          else expect(await picture(disk)).toBe(before)
        }
        for (const { receipt, before } of steps.reverse()) {
          const result = await undoWrite(writer, { receipt, actor: 'test', wait: NO_WAIT })
          expect(result).toMatchObject({ kind: 'done' })
          expect(await picture(disk)).toBe(before)
          undone++
        }
      }),
      { numRuns: 300, seed: 1 },
    )
    expect(undone).toBeGreaterThan(300)
  })
})

/** Names, modes and bytes of all files of the store. */
async function picture(disk: MemoryDisk): Promise<string> {
  const lines: string[] = []
  for (const name of [...(await disk.list(FOLDER))].sort()) {
    const path = disk.join(FOLDER, name)
    const pieces: Uint8Array[] = []
    for await (const piece of disk.read(path)) pieces.push(piece)
    lines.push(`${name} ${(await disk.stat(path))?.mode} ${Buffer.concat(pieces).toString('hex')}`)
  }
  return lines.join('\n')
}

async function carry(writer: Writer, each: Change): Promise<WriteResult | null> {
  if ((await writer.files.stat(TRANSCRIPT)) === null) return null
  const expected = await stateNow(writer, TRANSCRIPT)
  const common = { intent: INTENT, wait: NO_WAIT }
  const target = { file: TRANSCRIPT, root: '/store', kind: 'openclaw' } as const
  const several = { ...common, root: '/store', kind: 'openclaw' } as const
  switch (each.kind) {
    case 'replace': {
      const produce = async function* () {
        yield each.bytes
      }
      return replaceFile(writer, { ...common, target, expected, produce })
    }
    case 'append':
      return changeFiles(writer, {
        ...several,
        operations: [
          {
            op: 'append',
            file: TRANSCRIPT,
            expected,
            bytes: new TextEncoder().encode(each.lines.map((line) => `${line}\n`).join('')),
          },
        ],
      })
    case 'move':
      return changeFiles(writer, {
        ...several,
        operations: [
          {
            op: 'move',
            file: TRANSCRIPT,
            to: `${TRANSCRIPT}.${(await writer.receipts.ids()).length}`,
            expected,
          },
          {
            op: 'create',
            file: `${FOLDER}/${(await writer.receipts.ids()).length}.jsonl`,
            mode: 0o600,
            produce: () => bytesOf('x'),
          },
        ],
      })
    case 'remove':
      return changeFiles(writer, { ...several, operations: [{ op: 'remove', file: TRANSCRIPT, expected }] })
  }
}
