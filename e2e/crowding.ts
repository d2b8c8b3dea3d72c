/** Processor time for one look. Microseconds. */
const LOOK = 30_000

/** Our own workers, browsers and dashboards share two cores: up to here it is no news that everything takes longer. */
const USUAL = 3

/**
 * How many times as long as on a machine of our own everything takes now: 1, unless a process that could work all the time
 * gets less than a third of a core.
 */
export function crowding(): number {
  const began = performance.now()
  const before = process.cpuUsage()
  let worked = 0
  while (worked < LOOK) {
    for (let i = 0; i < 100_000; i++) Math.sqrt(i)
    const { user, system } = process.cpuUsage(before)
    worked = user + system
  }
  const times = ((performance.now() - began) * 1_000) / worked
  return times > USUAL ? times : 1
}
