/**
 * Text to estimator units, fast. One unit is about one token of o200k_base; `calibration.ts` turns units into
 * the tokens of a model.
 */

/** A way to size a text. Counters are pluggable: whatever has this shape can stand in for ours. */
export type TextEstimator = (text: string) => number

/** The rule of thumb of the agent runtimes: a quarter of the length in UTF-16 units, rounded up. */
export const charsOverFour: TextEstimator = (text) => Math.ceil(text.length / 4)

/**
 * Units of one image when nothing is known about its model: the 1,200 tokens (4,800 characters at four each)
 * that OpenClaw up to 2026.7.1 and pi charge. Calibration replaces it by what the provider's jump shows.
 */
export const IMAGE_UNITS = 1200

/** Units of a text; 0 for the empty one, at least 1 otherwise. Linear in the length, whatever the text. */
export const estimateUnits: TextEstimator = (text) => Math.ceil(text.length / 3.7)
