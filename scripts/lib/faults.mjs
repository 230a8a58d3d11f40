import ts from 'typescript';

const K = ts.SyntaxKind;
const OPERATORS = new Map([
  [K.LessThanToken, '<='],
  [K.LessThanEqualsToken, '<'],
  [K.GreaterThanToken, '>='],
  [K.GreaterThanEqualsToken, '>'],
  [K.EqualsEqualsEqualsToken, '!=='],
  [K.ExclamationEqualsEqualsToken, '==='],
  [K.EqualsEqualsToken, '!='],
  [K.ExclamationEqualsToken, '=='],
  [K.PlusToken, '-'],
  [K.MinusToken, '+'],
  [K.AsteriskToken, '/'],
  [K.SlashToken, '*'],
  [K.AmpersandAmpersandToken, '||'],
  [K.BarBarToken, '&&'],
  [K.PlusEqualsToken, '-='],
]);
/** Methods that a fault leaves out. */
const LEFT_OUT =
  /^(?:trim\w*|to(?:Locale)?(?:Lower|Upper)Case|normalize|sort|reverse|filter|slice|toSorted)$/;
/** Calls whose absence no user sees. */
const UNSEEN = /\b(?:log\w*|metrics?|span|say|debug|warn|unref|mark\w*)\b/i;
const IS_SQL = /\b(?:SELECT|UPDATE|DELETE|INSERT|WHERE|JOIN)\b/;
const IN_SQL = /(?<= )(?:<=|>=|<|>|AND|IS NULL|IS NOT NULL|DESC|NOT)(?= |\n)/g;
const SQL_CHANGES = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  AND: 'OR',
  'IS NULL': 'IS NOT NULL',
  'IS NOT NULL': 'IS NULL',
  DESC: 'ASC',
  NOT: '',
};

/**
 * Every fault of a TypeScript file, in the order of its text: a change that a test should notice. Lines count from 1.
 *
 * @returns {{ line: number, start: number, end: number, from: string, to: string }[]}
 */
export function faultsOf(text) {
  const source = ts.createSourceFile('a.ts', text, ts.ScriptTarget.Latest, true);
  const faults = [];
  const change = (start, end, to) =>
    faults.push({
      line: text.slice(0, start).split('\n').length,
      start,
      end,
      from: text.slice(start, end),
      to,
    });
  const replace = (node, to) => change(node.getStart(source), node.end, to);
  const visit = (node) => {
    if (ts.isTypeNode(node) || ts.isDecorator(node) || ts.isImportDeclaration(node)) return;
    faultsAt(node, replace, change);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return faults.sort((a, b) => a.start - b.start || a.end - b.end);
}

function faultsAt(node, replace, change) {
  if (ts.isBinaryExpression(node)) return ofOperator(node, replace);
  if (ts.isIfStatement(node)) {
    negate(node.expression, replace);
    if (node.elseStatement === undefined && !ts.isIfStatement(node.parent)) replace(node, '');
  } else if (ts.isConditionalExpression(node)) {
    negate(node.condition, replace);
  } else if (ts.isPrefixUnaryExpression(node) && node.operator === K.ExclamationToken) {
    replace(node, node.operand.getText());
  } else if (node.kind === K.TrueKeyword || node.kind === K.FalseKeyword) {
    replace(node, String(node.kind === K.FalseKeyword));
  } else if (ts.isNumericLiteral(node)) {
    replace(node, Number(node.text) < 1_000 ? `(${node.text} + 1)` : `(${node.text} * 2)`);
  } else if (ts.isCallExpression(node)) {
    const { expression } = node;
    if (ts.isPropertyAccessExpression(expression) && LEFT_OUT.test(expression.name.text))
      replace(node, expression.expression.getText());
  } else if (ts.isExpressionStatement(node)) {
    if (isCall(node.expression) && !UNSEEN.test(node.getText())) replace(node, ';');
  } else if (ts.isTemplateExpression(node) || ts.isNoSubstitutionTemplateLiteral(node)) {
    ofSql(node, change);
  }
}

/** A comparison and a negation have this fault by their operator. */
function negate(node, replace) {
  if (!ts.isBinaryExpression(node) && !ts.isPrefixUnaryExpression(node))
    replace(node, `!(${node.getText()})`);
}

function ofOperator({ left, operatorToken, right }, replace) {
  const isText = (side) => ts.isStringLiteralLike(side) || ts.isTemplateExpression(side);
  const other = OPERATORS.get(operatorToken.kind);
  const joinsText = operatorToken.kind === K.PlusToken && (isText(left) || isText(right));
  if (other !== undefined && !joinsText) replace(operatorToken, other);
  if (operatorToken.kind === K.QuestionQuestionToken) replace(left.parent, left.getText());
}

/** Operators of SQL, except those within expressions. */
function ofSql(node, change) {
  if (!IS_SQL.test(node.getText())) return;
  for (const part of ts.isTemplateExpression(node)
    ? [node.head, ...node.templateSpans.map(({ literal }) => literal)]
    : [node])
    for (const { 0: found, index } of part.getText().matchAll(IN_SQL)) {
      const start = part.getStart() + index;
      change(start, start + found.length, SQL_CHANGES[found]);
    }
}

const isCall = (node) => ts.isCallExpression(ts.isAwaitExpression(node) ? node.expression : node);

/** The text of a file with a fault. */
export const withFault = (text, { start, end, to }) => text.slice(0, start) + to + text.slice(end);

/** The same numbers from 0 to 1 for a seed, by a linear congruence. */
export function seededNumbers(seed) {
  let state = seed >>> 0;
  return () => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 32;
}

/** So many of the items, each at most once, as the numbers choose. */
export function drawn(items, count, random) {
  const left = [...items];
  return Array.from({ length: Math.min(count, left.length) }, () =>
    left.splice(Math.floor(random() * left.length), 1).at(0),
  );
}

/** The compiled text of a file, by the compiler's options in a configuration file, but without the plugin of Swagger. */
export function compiledText(text, configuration) {
  const { compilerOptions } = ts.readConfigFile(configuration, ts.sys.readFile).config;
  const { options } = ts.convertCompilerOptionsFromJson(compilerOptions, '.');
  const esm = {
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    sourceMap: false,
  };
  return ts.transpileModule(text, { compilerOptions: { ...options, ...esm }, fileName: 'a.ts' }).outputText;
}
