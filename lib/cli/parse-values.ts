import { InvalidArgumentError } from 'commander'
import type { Used } from '../core/budget/regions'
import type { CallChoice } from '../engine/inspect-session'

// What options of the command line take: each reads its text, or throws `InvalidArgumentError` with what it must be.

export function parsePort(text: string): number {
  const port = Number(text)
  if (!/^\d+$/.test(text) || port > 65_535)
    throw new InvalidArgumentError('It must be a number from 0 to 65535.')
  return port
}

export function parseCount(text: string): number {
  if (!/^[1-9]\d*$/.test(text)) throw new InvalidArgumentError('It must be a whole number from 1.')
  return Number(text)
}

export function parseNumber(text: string): number {
  const number = Number(text)
  if (text.trim() === '' || !Number.isFinite(number)) throw new InvalidArgumentError('It must be a number.')
  return number
}

export function parseTime(text: string): number {
  const at = Date.parse(text)
  if (Number.isNaN(at)) throw new InvalidArgumentError('It must be a time like 2026-11-02T08:00Z.')
  return at
}

export function parseTokens(text: string): number {
  const tokens = Number(text)
  if (!/^\d+$/.test(text) || tokens < 1) throw new InvalidArgumentError('It must be a number of tokens.')
  return tokens
}

export function parseShare(text: string): number {
  const share = Number(text)
  if (!/^\d*\.?\d+$/.test(text) || share > 1)
    throw new InvalidArgumentError('It must be a share from 0 to 1, for example 0.50.')
  return share
}

/** `system=8500,bootstrap=3200[,response=…]`, in tokens. */
export function parseUsed(text: string): Used {
  const parts = new Map(text.split(',').map((part) => part.split('=', 2) as [string, string | undefined]))
  const amounts = Object.fromEntries([...parts].map(([name, tokens]) => [name, parseTokens(tokens ?? '')]))
  const { system, bootstrap, response, ...others } = amounts
  if (system === undefined || bootstrap === undefined || Object.keys(others).length > 0) {
    throw new InvalidArgumentError('It must be like system=8500,bootstrap=3200 (and response=…, if known).')
  }
  return { system, bootstrap, ...(response === undefined ? {} : { response }) }
}

export function parseCall(text: string): CallChoice {
  if (text === 'last' || text === 'next') return text
  const call = Number(text)
  if (!/^\d+$/.test(text) || call < 1)
    throw new InvalidArgumentError('It must be a number from 1, "last" or "next".')
  return call
}

/** An option that may be given several times. */
export function parseEach(text: string, before: readonly string[] | undefined): readonly string[] {
  return [...(before ?? []), text]
}
