// The view of change_orders: a form in which the user confirms a change.
import { connect } from "./app";
import { $ } from "./format";
import { ChangePanel } from "./panel";

new ChangePanel($("change")).open();
connect();
