import { expect, it } from 'vitest'
import { findWithJob } from './experiments'
import type { ExperimentRow } from './replay-ports'

const planned: ExperimentRow = {
  ...{ id: 'e1', name: 'Harbour', createdAt: 5, spec: {}, job: 'j1', outcome: null, progress: null },
}
const outcome = { endedAt: 8, hash: 'abc', result: 1 }

it('a run that ends while its experiment is read is shown with what came of it', async () => {
  let row: ExperimentRow | null = planned
  const jobOf = async () => {
    row = { ...planned, outcome }
    return 'done'
  }
  expect(await findWithJob({ find: () => row }, 'e1', jobOf)).toEqual({
    row: { ...planned, outcome },
    job: 'done',
  })
})

it('a run that another one follows while it is read is left for that one', async () => {
  let row: ExperimentRow = planned
  const jobOf = async (job: string) => {
    row = { ...planned, job: 'j2' }
    return job
  }
  expect(await findWithJob({ find: () => row }, 'e1', jobOf)).toEqual({
    row: { ...planned, job: 'j2' },
    job: 'j2',
  })
})

it('an experiment that is deleted while it is read is not there, and one without a run has none', async () => {
  let row: ExperimentRow | null = planned
  const jobOf = async () => {
    row = null
    return 'done'
  }
  expect(await findWithJob({ find: () => row }, 'e1', jobOf)).toBeNull()
  expect(await findWithJob({ find: () => null }, 'e1', jobOf)).toBeNull()
  const never = { ...planned, job: null }
  expect(await findWithJob({ find: () => never }, 'e1', jobOf)).toEqual({ row: never, job: null })
})
