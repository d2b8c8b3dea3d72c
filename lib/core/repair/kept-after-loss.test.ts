import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkBytes, repairBytes } from '../../testing/repair/invariants'
import { compaction, from, type Line, textOfScene, unfit, user } from '../../testing/repair/scene-lines'
import { runs } from '../../testing/runs'

const id = (place: number) => `e${place}`

/** A sound tree: each entry goes on from the one before or an earlier one; compactions keep from their own branch. */
const tree = fc
  .array(
    fc.record({ back: fc.constantFrom(0, 0, 0, 1, 2, 5), keeps: fc.constantFrom(null, null, 0, 1, 2, 3) }),
    { minLength: 2, maxLength: 14 },
  )
  .map((nodes) => {
    const lines: Line[] = [user(id(0), null)]
    for (const [i, { back, keeps }] of nodes.entries()) {
      const parent = id(Math.max(0, i - back))
      const branch = branchOf(lines, parent)
      const kept = branch.at(-1 - (keeps ?? 0)) ?? id(0)
      lines.push(keeps === null ? user(id(i + 1), parent) : compaction(id(i + 1), parent, from(kept)))
    }
    return lines
  })

function branchOf(lines: readonly Line[], end: unknown): string[] {
  const branch: string[] = []
  const byId = new Map(lines.map((line) => [line.id, line]))
  for (let at = byId.get(end); at !== undefined; at = byId.get(at.parentId)) branch.unshift(String(at.id))
  return branch
}

/** What each compaction keeps, by its id. */
function keptOf(lines: readonly Line[]): ReadonlyMap<unknown, readonly string[]> {
  return new Map(
    lines
      .filter(({ type }) => type === 'compaction')
      .map((line) => {
        const branch = branchOf(lines, line.parentId)
        const first = branch.indexOf(String(line.firstKeptEntryId))
        return [line.id, first < 0 ? [] : branch.slice(first)]
      }),
  )
}

async function repaired(text: string): Promise<readonly Line[]> {
  const { bytes, again } = await repairBytes(Buffer.from(text))
  expect(again.findings).toEqual([])
  return bytes
    .toString()
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line) => JSON.parse(line))
}

describe('X12 compactions of any branch, where an entry is lost', () => {
  it('that says where it was: they keep what they kept, without it', async () => {
    await fc.assert(
      fc.asyncProperty(tree, fc.nat(13), async (lines, which) => {
        const lost = lines[which % lines.length]
        if (lost?.type !== 'message') return
        const damaged = lines.map((line) => (line === lost ? unfit(String(lost.id), parentOf(lost)) : line))
        const kept = keptOf(await repaired(textOfScene(damaged)))
        for (const [boundary, before] of keptOf(lines))
          expect(kept.get(boundary)).toEqual(before.filter((one) => one !== lost.id))
      }),
      runs(150),
    )
  })

  // What came before the lost one is a guess then.
  it('with its line: those that kept from it on keep what followed it', async () => {
    await fc.assert(
      fc.asyncProperty(tree, fc.nat(13), async (lines, which) => {
        const lost = lines[which % lines.length]
        if (lost?.type !== 'message') return
        const kept = keptOf(await repaired(textOfScene(lines.filter((line) => line !== lost))))
        for (const [boundary, [first, ...rest]] of keptOf(lines))
          if (first === lost.id) expect(kept.get(boundary)).toEqual(rest)
      }),
      runs(150),
    )
  })

  it('a tree without losses is sound', async () => {
    await fc.assert(
      fc.asyncProperty(tree, async (lines) => {
        expect((await checkBytes(Buffer.from(textOfScene(lines)))).findings).toEqual([])
      }),
      runs(50),
    )
  })
})

function parentOf({ parentId }: Line): string | null {
  return typeof parentId === 'string' ? parentId : null
}
