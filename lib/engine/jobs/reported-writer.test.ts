import { describe, expect, it } from 'vitest'
import { testWriter } from '../../testing/test-writer'
import { diskOf, WRITE_SCENARIOS } from '../../testing/write-scenarios'
import type { JobProgress } from './job-ports'
import { reportedWriter } from './reported-writer'

for (const scenario of WRITE_SCENARIOS) {
  describe(`X16 ${scenario.name}, as a job`, () => {
    // What puts a removed file back has nothing to keep a copy of.
    const expected = scenario.name.startsWith('undo of remove') ? [1, 3, 4] : [1, 2, 3, 4]
    const contents = (disk: Awaited<ReturnType<typeof diskOf>>) =>
      Object.fromEntries(Object.keys(scenario.before).map((path) => [path, disk.text(path)]))

    it('reports its steps in order, and its receipt before that is written', async () => {
      const disk = await diskOf(scenario)
      const writer = testWriter(disk)
      const noted: JobProgress[] = []
      const receipts: string[] = []
      const result = await scenario.run(
        reportedWriter(writer, {
          signal: new AbortController().signal,
          report: (progress) => noted.push(progress),
          underReceipt: async (id) => {
            expect(await writer.receipts.get(id)).toBeNull()
            receipts.push(id)
          },
        }),
      )
      expect(contents(disk)).toEqual(scenario.after)
      expect(receipts).toEqual(result.kind === 'done' ? [result.receipt.id] : [])
      const steps = noted.map(({ done }) => done)
      expect(steps).toEqual([...steps].sort((a, b) => a - b))
      expect([...new Set(steps)]).toEqual(expected)
    })

    it('changes nothing once it is cancelled, whenever that is before the first file changes', async () => {
      for (const after of expected.filter((step) => step < 4)) {
        const disk = await diskOf(scenario)
        const stop = new AbortController()
        const writer = reportedWriter(testWriter(disk), {
          signal: stop.signal,
          report: ({ done }) => {
            if (done === after) stop.abort()
          },
          underReceipt: async () => {},
        })
        const result = await scenario.run(writer)
        expect(result).toMatchObject({ kind: 'refused', refusal: { code: 'stopped' } })
        expect(contents(disk)).toEqual(scenario.before)
      }
    })
  })
}
