import { type Command, textOf } from '../command.js';
import { connect } from '../credentials.js';
import { EXIT_CODES } from '../failure.js';
import { FILTER_OPTIONS, filtersOf, limitOf } from '../filters.js';
import { counted, printRecords, remark } from '../output.js';
import { pagesOf, ROW_COLUMNS } from '../rows.js';

/** `wss search`: searches posts or comments. */
export const SEARCH: Command = {
  name: 'search',
  summary: 'Search posts or comments in the query language of the service',
  usage: ['search [QUERY] [options]', "search [options] -- '-word other'"],
  options: {
    ...FILTER_OPTIONS,
    sort: { type: 'string', value: 'FIELD', help: 'Order, e.g. created_utc (default), score or relevance' },
    order: { type: 'string', value: 'ORDER', choices: ['asc', 'desc'], help: 'Direction; default desc' },
    limit: { type: 'string', value: 'N', help: 'Rows that are printed; default 20' },
    all: { type: 'boolean', help: 'Print all rows' },
  },
  async run(call) {
    const { of, filters } = filtersOf(call);
    const [sort, order] = [textOf(call, 'sort'), textOf(call, 'order')];
    const query = { ...filters, ...(sort && { sort_by: sort }), ...(order && { sort_order: order }) };
    const limit = limitOf(call, 20);
    const client = await connect(call.terminal);
    let printed = 0;
    let found = 0;
    for await (const { rows, total } of pagesOf(client, of, query, limit)) {
      await printRecords(call, rows, ROW_COLUMNS, { isContinued: printed > 0 });
      printed += rows.length;
      found = total;
    }
    await remark(call, `${printed.toLocaleString('en')} of ${counted(found, of.slice(0, -1))}`);
    return EXIT_CODES.success;
  },
};
