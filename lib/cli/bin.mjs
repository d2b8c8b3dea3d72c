#!/usr/bin/env node
// The command's entry of old, which npx remembers for checkouts in which it has started it once.
import './bin.cjs'
