import type { Bytes, Usd } from '../../core/units/units'

/**
 * How numbers are written, everywhere. Thousands are parted by a narrow no-break space (U+202F), so that a number never
 * breaks over two lines; a unit follows after the same space. Nothing here ever turns "unknown" into a number: callers
 * pass numbers only.
 */
const THIN = '\u202f'

/** `142310` → `142 310`. Rounds to a whole number. */
export function formatCount(value: number): string {
  const digits = String(Math.abs(Math.round(value)))
  const grouped = digits.replace(/\B(?=(\d{3})+$)/g, THIN)
  return Math.round(value) < 0 ? `−${grouped}` : grouped
}

/** Three significant digits with k, M, G: `999` → `999`, `142310` → `142k`, `1240000` → `1.24M`. */
export function formatShort(value: number): string {
  const size = Math.abs(value)
  const sign = value < 0 ? '−' : ''
  if (size < 999.5) return `${sign}${Math.round(size)}`
  for (const [limit, divisor, suffix] of SHORT_STEPS) {
    if (size < limit) return `${sign}${threeDigits(size / divisor)}${suffix}`
  }
  return `${sign}${threeDigits(size / 1e12)}T`
}

const SHORT_STEPS = [
  [999_500, 1e3, 'k'],
  [999_500_000, 1e6, 'M'],
  [999_500_000_000, 1e9, 'G'],
] as const

function threeDigits(value: number): string {
  const decimals = value < 9.995 ? 2 : value < 99.95 ? 1 : 0
  const text = value.toFixed(decimals)
  return decimals === 0 ? text : text.replace(/\.?0+$/, '')
}

/** Bytes in decimal units: `512 B`, `48.2 kB`, `1.07 GB`. */
export function formatBytes(bytes: Bytes): string {
  if (bytes < 1000) return `${bytes}${THIN}B`
  const units = ['kB', 'MB', 'GB', 'TB'] as const
  let value = bytes / 1000
  let unit = 0
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000
    unit += 1
  }
  return `${threeDigits(value)}${THIN}${units[unit]}`
}

/** @param ms a length of time, not a moment. `850 ms`, `31 s`, `4 min 05 s`, `2 h 05 min`, `3 d 4 h`. */
export function formatDuration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)}${THIN}ms`
  const seconds = Math.round(ms / 1000)
  if (seconds < 60) return `${seconds}${THIN}s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return twoUnits(minutes, 'min', seconds % 60, 's')
  const hours = Math.floor(minutes / 60)
  if (hours < 24) return twoUnits(hours, 'h', minutes % 60, 'min')
  return twoUnits(Math.floor(hours / 24), 'd', hours % 24, 'h')
}

function twoUnits(big: number, bigUnit: string, small: number, smallUnit: string): string {
  const head = `${big}${THIN}${bigUnit}`
  return small === 0 ? head : `${head} ${String(small).padStart(2, '0')}${THIN}${smallUnit}`
}

/** US dollars: cents from one dollar on, three significant digits below, `$0` only for exactly nothing. */
export function formatUsd(usd: Usd): string {
  if (usd === 0) return '$0'
  const size = Math.abs(usd)
  const sign = usd < 0 ? '−' : ''
  if (size < 0.0001) return `${sign}<$0.0001`
  if (size < 0.995)
    return `${sign}$${Number(size.toPrecision(2)).toFixed(size < 0.01 ? 4 : size < 0.1 ? 3 : 2)}`
  if (size < 10_000) return `${sign}$${groupDecimals(size.toFixed(2))}`
  return `${sign}$${formatCount(size)}`
}

function groupDecimals(text: string): string {
  const [whole = '0', cents] = text.split('.')
  return `${formatCount(Number(whole))}.${cents}`
}

/** @param fraction 0.912 → `91 %`. One decimal below ten percent where it says something: `0.4 %`. */
export function formatPercent(fraction: number): string {
  const percent = fraction * 100
  const size = Math.abs(percent)
  const sign = percent < 0 ? '−' : ''
  if (size === 0) return `0${THIN}%`
  if (size < 0.05) return `${sign}<0.1${THIN}%`
  if (size < 9.95) return `${sign}${size.toFixed(1).replace(/\.0$/, '')}${THIN}%`
  return `${sign}${formatCount(size)}${THIN}%`
}

/** `1 call`, `2 calls`, `1 204 calls`. */
export function formatQuantity(count: number, singular: string, plural = `${singular}s`): string {
  return `${formatCount(count)} ${Math.round(count) === 1 ? singular : plural}`
}
