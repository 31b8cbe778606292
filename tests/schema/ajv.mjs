// SPDX-License-Identifier: MIT
// How long ajv takes for a check, JSON.parse included, compiled and warm. usage: node ajv.mjs CASES ROUNDS
// CASES is a file with [[schema, text], ...]; it prints the nanoseconds of each, or null where ajv refuses.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const require = createRequire(`${process.env.MCPW_NODE_MODULES}/node_modules/`);
const { Ajv2020 } = require('ajv/dist/2020.js');
const [cases, rounds] = [JSON.parse(readFileSync(process.argv[2], 'utf8')), Number(process.argv[3])];

function measure(schema, text) {
    const check = new Ajv2020({ strict: false, validateFormats: false }).compile(schema);
    let fits = 0;
    const run = count => {
        const begin = process.hrtime.bigint();
        for (let i = 0; i < count; i++) {
            fits += check(JSON.parse(text)) ? 1 : 0;
        }
        return Number(process.hrtime.bigint() - begin) / count;
    };
    run(rounds); // until it is optimised
    const spent = run(rounds);
    if (fits !== 2 * rounds) {
        throw new Error(`a value is refused: ${text}`);
    }
    return spent;
}

console.log(JSON.stringify(cases.map(([schema, text]) => {
    try {
        return measure(schema, text);
    } catch (error) {
        console.error(String(error));
        return null;
    }
})));
