import { expect, it } from 'vitest'
import type { ProcessTable } from '../locks/process-table'
import { jobProcesses } from './job-processes'

const table = (starts: Readonly<Record<number, number | null>>): ProcessTable => ({
  pid: 7,
  isAlive: (pid) => pid in starts,
  startTicks: (pid) => starts[pid] ?? null,
  startedAt: () => null,
  argv: () => null,
})

it('X16: a process is known by its number and its start', () => {
  const { own } = jobProcesses(table({ 7: 100 }))
  expect(jobProcesses(table({ 7: 100 })).isAlive(own)).toBe(true)
  expect(jobProcesses(table({ 7: 200 })).isAlive(own)).toBe(false)
  expect(jobProcesses(table({ 8: 100 })).isAlive(own)).toBe(false)
  const untold = jobProcesses(table({ 7: null }))
  expect(untold.isAlive(untold.own)).toBe(true)
  for (const name of ['', '-1 ?', 'x y']) expect(untold.isAlive(name)).toBe(false)
})
