'use strict';

// Versions of Node.js, in syntax that Node.js 14 knows. npm's own parser of ranges may not be installed yet.

/**
 * Whether a version lies in a range of `^x.y.z` and `>=x.y.z` parts joined by `||`.
 *
 * @param {string} version
 * @param {string} range
 */
exports.inRange = (version, range) => {
  const have = numbers(version);
  return range.split('||').some((part) => {
    const want = numbers(part);
    return notBelow(have, want) && (part.trim().startsWith('>=') || have[0] === want[0]);
  });
};

/**
 * The lowest version of each part of such a range, in words: `20.19, 22.13 or 24.11`.
 *
 * @param {string} range
 */
exports.lowestVersions = (range) =>
  range
    .split('||')
    .map((part) => numbers(part).slice(0, 2).join('.'))
    .join(', ')
    .replace(/, (?=[^,]*$)/, ' or ');

function numbers(text) {
  return text
    .replace(/^[^\d]*/, '')
    .split('.')
    .map((part) => Number.parseInt(part, 10));
}

function notBelow(have, want) {
  const at = want.findIndex((number, index) => number !== have[index]);
  return at === -1 || have[at] > want[at];
}
