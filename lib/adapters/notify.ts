import type { Notified } from '../engine/check-health'
import { type CommandFacts, runCommand } from './run-command'

/** Where a notification goes; what is null is left out. */
export type NotifyTargets = {
  readonly command: string | null
  readonly webhook: string | null
  readonly timeoutMs: number
}

/** Tells the operator, by each way that is configured and by which they were not told already. */
export async function notify(
  { command, webhook, timeoutMs }: NotifyTargets,
  facts: CommandFacts,
  told: ReadonlySet<string>,
): Promise<Notified> {
  const ways: [way: string, tell: () => Promise<string | null>][] = []
  if (command !== null)
    ways.push(['command', () => runCommand({ name: 'notification', command, timeoutMs }, facts)])
  if (webhook !== null) ways.push(['webhook', () => post(webhook, facts, timeoutMs)])
  const tried = await Promise.all(
    ways.filter(([way]) => !told.has(way)).map(async ([way, tell]) => ({ way, problem: await tell() })),
  )
  return {
    by: tried.flatMap(({ way, problem }) => (problem === null ? [way] : [])),
    problems: tried.flatMap(({ problem }) => problem ?? []),
  }
}

async function post(address: string, facts: CommandFacts, timeoutMs: number): Promise<string | null> {
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
