/** Places of the demo's two stores, relative to its folder. */
export const OPENCLAW_FOLDER = 'openclaw-demo'
export const PI_FOLDER = 'pi-demo'
