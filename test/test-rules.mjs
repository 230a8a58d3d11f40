/** Syntax that tests do not use, with the helper that takes its place. */
export const TEST_RULES = [
  {
    selector:
      'MemberExpression[object.name=/^(describe|it|test)$/][property.name=/^(skip|skipIf|runIf|todo|failing)$/], CallExpression[callee.name=/^x(describe|it|test)$/]',
    message:
      'A skipped test is named with its reason at the end of a run: use skipUnless of test/support/skip-unless.ts.',
  },
  {
    selector:
      'MemberExpression[object.name=/^(describe|it|test)$/][property.name="only"], CallExpression[callee.name=/^f(describe|it)$/]',
    message: 'The other tests of the file would not run.',
  },
  {
    selector:
      'Literal[value=/\\.\\.\\u002Fshared(\\u002F|$)/], TemplateElement[value.raw=/\\.\\.\\u002Fshared(\\u002F|$)/], MemberExpression[property.name="SHARED_DIR"]',
    message: 'A clone may lack this folder: use withShared and sharedPath of test/support/shared-folder.ts.',
  },
];

const BY_GROWTH =
  'A time depends on the machine: use growthOf or isSteep of test/support, counted work, an order of events, or a moved clock.';

/** What `expect` compares with a limit. */
const LIMITED =
  'CallExpression[callee.property.name=/^toBe(Less|Greater)Than/] > MemberExpression.callee CallExpression[callee.name="expect"]';

/** Syntax by which specs measure time, with what takes its place. */
export const TIME_RULES = [
  'BinaryExpression[operator="-"] > CallExpression.left[callee.object.name="performance"][callee.property.name="now"]',
  'MemberExpression[object.name="process"][property.name=/^(cpuUsage|hrtime)$/]',
  `${LIMITED} BinaryExpression[operator="-"] > CallExpression.left[callee.object.name="Date"][callee.property.name="now"]`,
  `${LIMITED} Identifier[name=/^(ms|millis(econds)?|elapsed(Ms)?|took(Ms)?|cpuMs|durationMs)$/]`,
].map((selector) => ({ selector, message: BY_GROWTH }));

/** How a spec of the dashboard reads a page too early: values read once, unless it expects none, and waits for a time. */
export const PAGE_RULES = [
  {
    selector:
      'CallExpression[callee.property.name=/^to(Be|Equal)$/]:not([arguments.0.value=0]):not([arguments.0.value=false]) > MemberExpression.callee > CallExpression[callee.name="expect"] > AwaitExpression > CallExpression[callee.property.name=/^(count|all(Inner|Text)\\w+|innerText|textContent|inputValue|getAttribute|is(Visible|Checked|Enabled|Disabled))$/]',
    message: 'A page may still be rendering: use expectSoon of test/browser/browser.ts.',
  },
  {
    selector:
      'CallExpression[callee.property.name="waitForTimeout"], CallExpression[callee.property.name="waitForLoadState"][arguments.0.value="networkidle"]',
    message:
      'A slow page takes longer: use loaded or expectSoon of test/browser/browser.ts, or a moved clock.',
  },
];
