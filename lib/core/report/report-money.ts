import type { PriceSource } from '../tokens/own-prices'
import type { CallCost } from '../tokens/prices'
import type { Usd } from '../units/units'

/** Sums of costs by their basis; they never add up to one sum. US dollars; null: nothing has a price of this basis. */
export type ReportMoney = {
  /** As the runtimes recorded it. */
  readonly recordedUsd: Usd | null
  /** What was not recorded, at the operator's prices and at list prices, with the calls in each sum. */
  readonly settingsUsd: Usd | null
  readonly settingsCalls: number
  readonly listUsd: Usd | null
  readonly listCalls: number
  /** Requests without any price. They are in none of the sums. */
  readonly unpricedCalls: number
}

export const NO_MONEY: ReportMoney = {
  recordedUsd: null,
  settingsUsd: null,
  settingsCalls: 0,
  listUsd: null,
  listCalls: 0,
  unpricedCalls: 0,
}

/** A call without any price; without usage as well. */
export const NO_PRICE: CallCost = {
  recorded: { value: null, basis: 'unknown' },
  listed: { value: null, basis: 'unknown' },
  source: null,
}

export function moneyOfCall({ recorded, listed, source }: CallCost): ReportMoney {
  if (recorded.value !== null) return { ...NO_MONEY, recordedUsd: recorded.value }
  if (listed.value === null) return { ...NO_MONEY, unpricedCalls: 1 }
  return source === ('settings' satisfies PriceSource)
    ? { ...NO_MONEY, settingsUsd: listed.value, settingsCalls: 1 }
    : { ...NO_MONEY, listUsd: listed.value, listCalls: 1 }
}

export function addMoney(a: ReportMoney, b: ReportMoney): ReportMoney {
  return {
    recordedUsd: addKnown(a.recordedUsd, b.recordedUsd),
    settingsUsd: addKnown(a.settingsUsd, b.settingsUsd),
    settingsCalls: a.settingsCalls + b.settingsCalls,
    listUsd: addKnown(a.listUsd, b.listUsd),
    listCalls: a.listCalls + b.listCalls,
    unpricedCalls: a.unpricedCalls + b.unpricedCalls,
  }
}

/** The sum of what is known; null when neither is. */
export function addKnown(a: number | null, b: number | null): number | null {
  return a === null ? b : b === null ? a : a + b
}
