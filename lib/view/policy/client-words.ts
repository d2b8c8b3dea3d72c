import type { ClientSetting } from '../../core/policy/formats/client-setting'
import type { ClientCompaction, RuntimeInfo } from '../../core/policy/runtime/runtime-policy'
import { formatCount } from '../text/format'

/** Since when a session that waits is compacted: nine tenths of the hour that its cache lasts. Minutes. */
const IDLE_MINUTES = 54

/** Settings that decide how a client compacts, each with its value and where it is; none for other runtimes. */
export function settingWords({ client }: Pick<RuntimeInfo, 'client'>): readonly string[] {
  return client === null ? [] : client.settings.map(settingText)
}

/** A setting with its value and where it is. */
export function settingText({ key, value, file, line }: ClientSetting): string {
  const shown = typeof value === 'number' ? formatCount(value) : String(value)
  return `${key} = ${shown}, ${line === 0 ? file : `${file} line ${line}`}`
}

/** From how many tokens on a session that waits is compacted too, and when; null where it is not. */
export function idleWords(
  client: ClientCompaction | null,
): { readonly value: string; readonly note: string } | null {
  if (client?.kind !== 'claude-code' || client.idle === null) return null
  return {
    value: formatCount(client.idle),
    note: `after ${IDLE_MINUTES} minutes of waiting, with a cache of an hour`,
  }
}
