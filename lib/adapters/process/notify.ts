import type { Milliseconds } from '../../core/units/units'
import type { Notified } from '../../engine/logs/check-health'
import { type CommandFacts, runCommand } from './run-command'

/** Where a notification goes; what is null is left out. */
export type NotifyTargets = {
  readonly command: string | null
  readonly webhook: string | null
  readonly timeoutMs: Milliseconds
}

/** Tells the operator, by each way that is configured and by which they did not get a notice already. */
export async function notify(
  { command, webhook, timeoutMs }: NotifyTargets,
  facts: CommandFacts,
  alreadyNotified: ReadonlySet<string>,
): Promise<Notified> {
  const ways: [way: string, tell: () => Promise<string | null>][] = []
  if (command !== null)
    ways.push(['command', () => runCommand({ name: 'notification', command, timeoutMs }, facts)])
  if (webhook !== null) ways.push(['webhook', () => post(webhook, facts, timeoutMs)])
  const tried = await Promise.all(
    ways
      .filter(([way]) => !alreadyNotified.has(way))
      .map(async ([way, tell]) => ({ way, problem: await tell() })),
  )
  return {
    by: tried.flatMap(({ way, problem }) => (problem === null ? [way] : [])),
    problems: tried.flatMap(({ problem }) => problem ?? []),
  }
}

async function post(address: string, facts: CommandFacts, timeoutMs: Milliseconds): Promise<string | null> {
  // The rest of an address may hold a credential.
  const host = URL.canParse(address) ? new URL(address).host : 'the webhook'
  try {
    const response = await fetch(address, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(facts),
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    })
    await response.body?.cancel()
    return response.ok ? null : `The notification to ${host} was answered with ${response.status}.`
  } catch (error) {
    const late = error instanceof Error && error.name === 'TimeoutError'
    const why = late ? `no answer in ${timeoutMs / 1000} s` : 'no connection'
    return `The notification to ${host} failed: ${why}.`
  }
}
