import { Column, Entity } from 'typeorm';
import { columnsOf, selectedProperties, selectList } from './entity-columns.js';
import { WorkspaceRecord } from './workspace-row.js';

@Entity('drawers')
class Drawer extends WorkspaceRecord {
  @Column('text', { select: false })
  label: string;
}

it('knows inherited columns, before those of the class', () => {
  expect(columnsOf(Drawer).map(({ name }) => name)).toEqual(['workspace_id', 'id', 'label']);
  expect(selectedProperties(Drawer)).toEqual(['workspaceId', 'id']);
});

it.each([
  [undefined, 'id, created_utc AS "createdUtc"'],
  ['post', 'post.id, post.created_utc AS "createdUtc"'],
])('a select list of the table %s', (table, list) => {
  expect(selectList(['id', 'createdUtc'], table)).toBe(list);
});
