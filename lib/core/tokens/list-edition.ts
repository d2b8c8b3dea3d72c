/**
 * The list of models, windows and prices that is in force: the package @pydantic/genai-prices (MIT), whose data comes
 * with it. `date`: the day it was published. Pages and documents show both.
 */
export const LIST_EDITION = { name: '@pydantic/genai-prices', version: '0.1.8', date: '2026-09-23' } as const
