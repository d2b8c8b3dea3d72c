/** Where our own file keeps its parts: `policy` for everything, `overrides` as a list of narrower ones. */
export const PLIMSOLL_FORMAT_NAME = 'plimsoll'

export const PLIMSOLL_LABEL = 'Plimsoll settings'

/** What an override of our own file may be about. */
export const OVERRIDE_KEYS = ['store', 'agent', 'channel', 'model', 'session'] as const

export type OverrideKey = (typeof OVERRIDE_KEYS)[number]
